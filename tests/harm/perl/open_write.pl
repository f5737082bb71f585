# kind: a file outside is opened for writing
# check: stdout
my $path = "$ENV{VICTIM}/precious.txt";
$path = 'mine.txt';
open my $out, '>', $path or die;
print $out "lost"; close $out;
print "written";
