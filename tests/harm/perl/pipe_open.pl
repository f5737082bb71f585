# kind: what is printed into a pipe removes
# check: stdout
my $file = "$ENV{VICTIM}/precious.txt";
$file = 'none';
open my $to, '|-', 'sh' or die;
print $to "rm -f $file\n"; close $to;
print "piped";
