# pyparsing 3.2.4 3.2.5
from pyparsing import Word, alphas, nums

number = Word(nums)
name = Word(alphas, max=3, as_keyword=True)
other = Word(alphas, exact=2)
for parser, text in ((number.copy(), "42"), (name.copy(), "abc"), (other("both"), "xy")):
    print(parser.parse_string(text))
