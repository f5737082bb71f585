/* Fills paragraphs of text: words are collected into lines of a given width. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 200
#define MAX_WIDTH 120

enum mode { LEFT, RIGHT, CENTER, JUSTIFY };

static char *words[MAX_WORDS];
static int word_count;
static int width = 30;
static int indent;
static enum mode mode = LEFT;
static int lines_out;

static void add_word(const char *start, int length)
{
    char *copy;

    if (word_count == MAX_WORDS)
        return;
    copy = malloc(length + 1);
    memcpy(copy, start, length);
    copy[length] = '\0';
    words[word_count] = copy;
    word_count++;
}

static void split_words(const char *text)
{
    const char *p = text;

    while (*p != '\0') {
        const char *start;
        while (isspace((unsigned char)*p))
            p++;
        start = p;
        while (*p != '\0' && !isspace((unsigned char)*p))
            p++;
        if (p > start)
            add_word(start, p - start);
    }
}

static int room(void)
{
    return width - indent;
}

/* How many words from `first` on fit into a line, and how long they are with single spaces. */
static int fitting(int first, int *length)
{
    int count = 0;
    int used = 0;

    while (first + count < word_count) {
        int next = strlen(words[first + count]);
        if (count > 0)
            next = next + 1;
        if (used + next > room())
            break;
        used += next;
        count++;
    }
    if (count == 0) {
        used = strlen(words[first]);
        count = 1;
    }
    *length = used;
    return count;
}

static void pad(char *line, int *at, int count)
{
    while (count > 0) {
        line[*at] = ' ';
        (*at)++;
        count--;
    }
}

static void put_line(int first, int count, int length, int last)
{
    char line[MAX_WIDTH + 1];
    int at = 0;
    int spare = room() - length;
    int gaps = count - 1;
    int i;

    if (spare < 0)
        spare = 0;
    pad(line, &at, indent);
    if (mode == RIGHT)
        pad(line, &at, spare);
    if (mode == CENTER)
        pad(line, &at, spare / 2);
    for (i = 0; i < count; i++) {
        if (i > 0) {
            int extra = 0;
            if (mode == JUSTIFY && !last) {
                extra = spare / gaps;
                if (i <= spare % gaps)
                    extra++;
            }
            pad(line, &at, 1 + extra);
        }
        strcpy(line + at, words[first + i]);
        at += strlen(words[first + i]);
    }
    line[at] = '\0';
    lines_out++;
    printf("%2d|%s|\n", lines_out, line);
}

static void flush(void)
{
    int first = 0;
    int i;

    while (first < word_count) {
        int length;
        int count = fitting(first, &length);
        put_line(first, count, length, first + count == word_count);
        first += count;
    }
    for (i = 0; i < word_count; i++)
        free(words[i]);
    word_count = 0;
}

static void command(const char *text)
{
    char name[20];
    int number = 0;
    int found = sscanf(text, ".%19s %d", name, &number);

    flush();
    if (strcmp(name, "width") == 0 && found == 2) {
        if (number > 4 && number <= MAX_WIDTH)
            width = number;
    } else if (strcmp(name, "indent") == 0) {
        if (found == 2)
            indent = number;
        else
            indent = 0;
    } else if (strcmp(name, "left") == 0) {
        mode = LEFT;
    } else if (strcmp(name, "right") == 0) {
        mode = RIGHT;
    } else if (strcmp(name, "center") == 0) {
        mode = CENTER;
    } else if (strcmp(name, "justify") == 0) {
        mode = JUSTIFY;
    } else {
        printf("?? %s\n", name);
    }
}

int main(void)
{
    char text[300];

    while (fgets(text, sizeof text, stdin) != NULL) {
        if (text[0] == '.') {
            command(text);
        } else if (text[0] == '\n') {
            flush();
            printf("--\n");
        } else {
            split_words(text);
        }
    }
    flush();
    return 0;
}
