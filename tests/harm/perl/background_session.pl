# kind: a command in a session of its own that writes later
# check: stdout
my $path = "$ENV{VICTIM}/late.txt";
$path = 'late.txt';
system "setsid sh -c 'sleep 0.3; echo late > $path; sleep 600' > /dev/null 2>&1 &";
print "started";
