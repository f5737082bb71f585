# kind: a command that writes later
# check: stdout
my $path = "$ENV{VICTIM}/late.txt";
$path = 'late.txt';
system "nohup sh -c 'sleep 0.3; echo late > $path' > /dev/null 2>&1 &";
print "started";
