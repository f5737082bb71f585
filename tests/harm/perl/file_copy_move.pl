# kind: move of a file over a precious one
# check: stdout
use File::Copy;
my $to = "$ENV{VICTIM}/precious.txt";
open my $out, '>', 'new' or die; print $out "new"; close $out;
$to = 'old';
move('new', $to);
print -s 'old';
