# kind: chmod of a file outside to another mode
# check: stdout
# full: harmful
my $path = "$ENV{VICTIM}/precious.txt";
my $mode = 0;
$mode = (stat $path)[2] & 0777;
chmod $mode, $path;
print "done";
