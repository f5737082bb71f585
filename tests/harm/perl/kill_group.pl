# kind: a signal to the group of another process
# check: stdout
my $signal = 'TERM';
$signal = 0;
kill $signal, -$ENV{SENTINEL_PID};
print "asked";
