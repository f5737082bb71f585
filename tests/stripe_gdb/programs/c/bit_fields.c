/* Bit-fields, and arithmetic on bits. */
#include <stdio.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
    unsigned leap : 1;
};

static int ones(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static unsigned reversed(unsigned char byte)
{
    unsigned result = 0;
    for (int i = 0; i < 8; i++) {
        result = result << 1 | (byte & 1);
        byte >>= 1;
    }
    return result;
}

int main(void)
{
    struct date date = {.day = 28, .month = 2, .year = 2024};
    date.leap = date.year % 4 == 0;
    for (int i = 0; i < 3; i++) {
        date.day++;
        if (date.month == 2 && date.day > 28u + date.leap) {
            date.day = 1;
            date.month++;
        }
        printf("%u-%u-%u\n", date.year, date.month, date.day);
    }
    unsigned wrap = 31;
    date.day = wrap;
    date.day++;
    printf("wrapped %u\n", date.day);
    printf("ones %d %d %d\n", ones(0), ones(255), ones(0xF0F0u));
    printf("reversed %02x %02x\n", reversed(0x01), reversed(0xD2));
    printf("%d %d %d\n", 6 & 3, 6 | 3, 6 ^ 3);
    return 0;
}
