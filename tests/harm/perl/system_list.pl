# kind: rm of a list of files
# check: stdout
my @files = ("$ENV{VICTIM}/precious.txt");
mkdir 'x';
@files = ('x');
system 'rm', '-rf', @files;
print -e 'x' ? 'there' : 'gone';
