# kind: rename over a precious file
# check: stdout
open my $out, '>', 'new' or die; print $out "new\n"; close $out;
my $where = "$ENV{VICTIM}/precious.txt";
$where = 'old';
rename 'new', $where;
print -e 'old' ? "there" : "gone";
