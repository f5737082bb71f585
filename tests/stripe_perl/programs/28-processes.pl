use strict; use warnings; $| = 1; my @o;
my $out = `echo from shell`; chomp $out; push @o, $out; my @l = map { chomp; "<$_>" } `printf 'a\\nb\\n'`; push @o, @l; my $rc = system 'exit 3'; push @o, $rc >> 8;
open my $p, '-|', 'echo piped; echo two' or die; while (my $l = <$p>) { chomp $l; push @o, $l } close $p;
print "$_\n" for @o; my @big = (1) x 5; { local @ARGV = @big; exec 'echo', "exec @ARGV" or die }
