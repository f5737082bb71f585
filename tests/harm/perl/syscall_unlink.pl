# kind: unlink by its number
# check: stdout
my $path = "$ENV{VICTIM}/precious.txt";
$path = "none";
syscall 87, $path;
print "called";
