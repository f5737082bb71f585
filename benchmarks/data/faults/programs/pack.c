/* Packs text: repeated runs become references into a window; what is packed is unpacked again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 64
#define SHORTEST 3
#define LONGEST 18

struct buffer {
    unsigned char *data;
    int size;
    int room;
};

struct statistics {
    int literals;
    int references;
    int longest;
    int saved;
};

static void put(struct buffer *buffer, int byte)
{
    if (buffer->size == buffer->room) {
        buffer->room = buffer->room == 0 ? 16 : 2 * buffer->room;
        buffer->data = realloc(buffer->data, buffer->room);
    }
    buffer->data[buffer->size] = byte;
    buffer->size++;
}

static int common(const unsigned char *data, int one, int two, int size)
{
    int length = 0;

    while (length < LONGEST && two + length < size && data[one + length] == data[two + length])
        length++;
    return length;
}

/* The longest run that ends before `at` and is what begins there; its length. */
static int find(const unsigned char *data, int size, int at, int *distance)
{
    int best = 0;
    int start = at > WINDOW ? at - WINDOW : 0;
    int place;

    for (place = at - 1; place >= start; place--) {
        int length = common(data, place, at, size);
        if (length > best) {
            best = length;
            *distance = at - place;
        }
    }
    return best;
}

/* Eight items after a byte of flags: a literal, or a distance and a length. */
static void pack(const unsigned char *data, int size, struct buffer *out,
                 struct statistics *statistics)
{
    int at = 0;
    int flag = 0;
    int flags_at = 0;

    while (at < size) {
        int distance = 0;
        int length;
        if (flag == 0) {
            flags_at = out->size;
            put(out, 0);
        }
        length = find(data, size, at, &distance);
        if (length >= SHORTEST) {
            out->data[flags_at] |= 1 << flag;
            put(out, distance);
            put(out, length - SHORTEST);
            at += length;
            statistics->references++;
            statistics->saved += length - 2;
            if (length > statistics->longest)
                statistics->longest = length;
        } else {
            put(out, data[at]);
            at++;
            statistics->literals++;
        }
        flag = (flag + 1) % 8;
    }
}

static int unpack(const struct buffer *in, struct buffer *out)
{
    int at = 0;

    while (at < in->size) {
        int flags = in->data[at++];
        int bit;
        for (bit = 0; bit < 8 && at < in->size; bit++) {
            if (flags & (1 << bit)) {
                int distance = in->data[at];
                int length = in->data[at + 1] + SHORTEST;
                int i;
                at += 2;
                if (distance == 0 || distance > out->size)
                    return 0;
                for (i = 0; i < length; i++)
                    put(out, out->data[out->size - distance]);
            } else {
                put(out, in->data[at]);
                at++;
            }
        }
    }
    return 1;
}

static unsigned checksum(const unsigned char *data, int size)
{
    unsigned one = 1, two = 0;
    int i;

    for (i = 0; i < size; i++) {
        one = (one + data[i]) % 65521;
        two = (two + one) % 65521;
    }
    return two << 16 | one;
}

static void dump(const struct buffer *buffer)
{
    int i;

    for (i = 0; i < buffer->size; i++) {
        if (i % 16 == 0)
            printf("%s%04x:", i == 0 ? "" : "\n", i);
        printf(" %02x", buffer->data[i]);
    }
    printf("\n");
}

int main(void)
{
    struct buffer plain = {0}, packed = {0}, again = {0};
    struct statistics statistics = {0};
    int c;

    while ((c = getchar()) != EOF)
        put(&plain, c);
    pack(plain.data, plain.size, &packed, &statistics);
    printf("%d bytes packed to %d\n", plain.size, packed.size);
    printf("%d literals, %d references, longest %d, saved %d\n", statistics.literals,
           statistics.references, statistics.longest, statistics.saved);
    dump(&packed);
    if (!unpack(&packed, &again))
        printf("damaged\n");
    printf("unpacked %d bytes: ", again.size);
    fwrite(again.data, 1, again.size, stdout);
    printf("\nchecksum %08x %08x\n", checksum(plain.data, plain.size),
           checksum(again.data, again.size));
    free(plain.data);
    free(packed.data);
    free(again.data);
    return 0;
}
