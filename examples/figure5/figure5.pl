$sum = 0;
$mul = 1;
print(STDERR "a? "), $a = <STDIN>;
print(STDERR "b? "), $b = <STDIN>;
while ($a <= $b) {
    $sum = $sum + $a;
    $mul = $mul * $a;
    $a = $a + 1;
next }
print "sum = $sum\n";
print "mul = $mul\n";
close STDIN;
exit;

# What C's variables held before anything was assigned, where asked for.
BEGIN { ($a, $b, $sum, $mul) = (1000, 500, 4711, 815) if @ARGV }
