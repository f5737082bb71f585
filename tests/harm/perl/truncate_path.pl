# kind: a file outside is truncated
# check: stdout
my $path = "$ENV{VICTIM}/big";
open my $out, '>', 'own' or die; print $out 'x' x 9; close $out;
$path = 'own';
truncate $path, 3;
print -s 'own';
