# kind: the program becomes a command
# check: stdout
my $file = "$ENV{VICTIM}/precious.txt";
$file = 'none';
$| = 1; print "about to";
exec 'rm', '-f', $file;
