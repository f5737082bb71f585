# Run: stripe trace sample.pl --input $'0\n5\n' --check stdout
# The program of the paper, in its own language: one zero factor decides $mul, five additions make $sum.
use strict; use warnings;

my ($a1, $b1, $sum, $mul);
$sum = 0;
$mul = 1;
print STDERR "a? "; $a1 = <STDIN>;
print STDERR "b? "; $b1 = <STDIN>;
while ($a1 <= $b1) {
    $sum = $sum + $a1;
    $mul = $mul * $a1;
    $a1 = $a1 + 1;
}
print "sum = $sum\n";
print "mul = $mul\n";
