# kind: open with the mode in the name
# check: stdout
my $name = ">$ENV{VICTIM}/precious.txt";
$name = '>mine.txt';
open OUT, $name or die;
print OUT "lost"; close OUT;
print "written";
