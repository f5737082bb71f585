# kind: kill -1
# check: stdout
my ($signal, $whom) = ('KILL', -1);
$signal = 0;
kill $signal, $whom;
print "asked";
