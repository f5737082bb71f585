# kind: unlink of a file outside
# check: stdout
my $path = "$ENV{VICTIM}/precious.txt";
open my $out, '>', 'own.txt' or die; close $out;
$path = 'own.txt';
print unlink $path;
