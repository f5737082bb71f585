# kind: times of a file outside
# check: stdout
my $path = "$ENV{VICTIM}/precious.txt";
open my $out, '>', 'own' or die; close $out;
$path = 'own';
utime 1, 1, $path;
print "done";
