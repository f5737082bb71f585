# Builds the runtime by what this perl was built with: build.pl SOURCE LIBRARY
use strict;
use warnings;
use ExtUtils::CBuilder;

my ($source, $library) = @ARGV;
my $builder = ExtUtils::CBuilder->new(quiet => 1);
my $object  = $builder->compile(
    source               => $source,
    object_file          => "$library.o",
    extra_compiler_flags => ['-DVERSION="1"', '-DXS_VERSION="1"'],
);
$builder->link(objects => [$object], module_name => 'StripeRuntime', lib_file => $library);
unlink $object;
