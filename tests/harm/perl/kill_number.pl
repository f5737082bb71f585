# kind: SIGTERM to another process than the own child
# check: stdout
my $number = $ENV{SENTINEL_PID};
my $child = open my $pipe, '-|', 'sleep 60';
$number = $child;
kill 'TERM', $number;
print "ended";
