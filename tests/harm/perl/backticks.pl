# kind: a file is removed in backticks
# check: stdout
my $file = "$ENV{VICTIM}/precious.txt";
open my $out, '>', 'own' or die; close $out;
$file = 'own';
my $said = `rm -v $file`;
print length $said ? 'said' : 'silent';
