/* Values as texts of one line, the same in each run: no addresses, the keys of hashes in order.
   Nothing here calls code of the program. */

#define LONGEST_TEXT 4000
#define MOST_ITEMS 1000

typedef struct {
    char *at, *end; /* where the next byte goes; there is room for a zero behind */
    int depth;
    SV *open[DEEPEST_PART]; /* what is being told: a cycle is told as that */
} Text;

static void add_text(Text *t, const char *text, STRLEN size) {
    STRLEN room = t->end - t->at;
    if (size > room)
        size = room;
    memcpy(t->at, text, size);
    t->at += size;
}
static void add_word(Text *t, const char *word) { add_text(t, word, strlen(word)); }
static void add_quoted(Text *t, const char *text, STRLEN size, int is_utf8) {
    char code[8];
    add_word(t, "\"");
    for (; size && t->at < t->end; text++, size--) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '\n' || c == '\t') {
            sprintf(code, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : c);
            add_word(t, code);
        } else if (c < ' ' || c == 127 || (c > 127 && !is_utf8)) {
            sprintf(code, "\\x%02x", c);
            add_word(t, code);
        } else
            add_text(t, text, 1);
    }
    add_word(t, "\"");
}
/* Perl does not tell 5 from "5", nor do we. */
static void add_scalar(pTHX_ Text *t, SV *sv) {
    char number[64];
    if (SvGMAGICAL(sv))
        mg_get(sv); /* perl's own */
    if (SvPOK(sv) || SvPOKp(sv)) {
        STRLEN size = SvCUR(sv);
        const char *text = SvPVX_const(sv), *digits = text + (size && *text == '-');
        STRLEN count = size - (digits - text);
        if (count && count < 16 && strspn(digits, "0123456789") == count &&
            (*digits != '0' || size == 1))
            add_text(t, text, size);
        else
            add_quoted(t, text, size, !!SvUTF8(sv));
        return;
    }
    if (SvIOK(sv) || (SvIOKp(sv) && !SvNOKp(sv)))
        sprintf(number, SvIsUV(sv) ? "%" UVuf : "%" IVdf, SvIVX(sv));
    else if (SvNOK(sv) || SvNOKp(sv))
        sprintf(number, "%.15g", (double)SvNVX(sv));
    else
        strcpy(number, "undef");
    add_word(t, number);
}
static void add_value(pTHX_ Text *t, SV *sv);
static void add_items(pTHX_ Text *t, AV *av) {
    SSize_t i;
    add_word(t, "[");
    for (i = 0; i <= AvFILLp(av) && i < MOST_ITEMS; i++) {
        if (i)
            add_word(t, ", ");
        add_value(aTHX_ t, AvARRAY(av)[i]);
    }
    add_word(t, i <= AvFILLp(av) ? ", ...]" : "]");
}
static void add_entries(pTHX_ Text *t, HV *hv) {
    SSize_t count, i;
    HE **all = sorted_entries(aTHX_ hv, &count);
    add_word(t, "{");
    for (i = 0; i < count && i < MOST_ITEMS; i++) {
        if (i)
            add_word(t, ", ");
        if (is_word(HeKEY(all[i]), HeKLEN(all[i])))
            add_text(t, HeKEY(all[i]), HeKLEN(all[i]));
        else
            add_quoted(t, HeKEY(all[i]), HeKLEN(all[i]), HeKUTF8(all[i]));
        add_word(t, " => ");
        add_value(aTHX_ t, HeVAL(all[i]));
    }
    add_word(t, i < count ? ", ...}" : "}");
    free(all);
}
static void add_value(pTHX_ Text *t, SV *sv) {
    int i;
    if (t->at >= t->end)
        return;
    if (!sv) {
        add_word(t, "undef");
        return;
    }
    if (tied_object(aTHX_ sv)) {
        add_word(t, "a tied variable");
        return;
    }
    for (i = 0; i < t->depth; i++)
        if (t->open[i] == sv) {
            add_word(t, "itself");
            return;
        }
    if (t->depth == DEEPEST_PART) {
        add_word(t, "...");
        return;
    }
    t->open[t->depth++] = sv;
    switch (SvTYPE(sv)) {
    case SVt_PVAV:
        add_items(aTHX_ t, (AV *)sv);
        break;
    case SVt_PVHV:
        add_entries(aTHX_ t, (HV *)sv);
        break;
    case SVt_PVCV:
        add_word(t, "a sub");
        break;
    case SVt_PVGV:
    case SVt_PVIO:
    case SVt_PVFM:
        add_word(t, "a handle");
        break;
    case SVt_REGEXP:
        add_word(t, "qr");
        add_quoted(t, RX_WRAPPED((REGEXP *)sv), RX_WRAPLEN((REGEXP *)sv), 0);
        break;
    default:
        if (!SvROK(sv)) {
            add_scalar(aTHX_ t, sv);
            break;
        }
        if (SvOBJECT(SvRV(sv))) {
            add_word(t, sv_reftype(SvRV(sv), 1));
            add_word(t, " ");
        } else if (SvTYPE(SvRV(sv)) < SVt_PVAV)
            add_word(t, "\\");
        if (is_address(SvRV(sv)))
            add_word(t, "(in C)");
        else
            add_value(aTHX_ t, SvRV(sv));
    }
    t->depth--;
}
/* A value in at most so many bytes; what is longer ends in dots and the digest of all of it. */
static void tell_value(pTHX_ char *to, int longest, SV *sv) {
    static Digest d;
    Text t;
    t.at = to;
    t.end = to + longest;
    t.depth = 0;
    add_value(aTHX_ & t, sv);
    if (t.at == t.end) {
        start_digest(&d);
        mix_value(aTHX_ & d, sv, DEEPEST_PART);
        for (t.at -= 30; (unsigned char)*t.at >> 6 == 2; t.at--)
            ; /* the first byte of a character */
        t.at += sprintf(t.at, "... #%08lx", (unsigned long)(d.hash & 0xffffffff));
    }
    *t.at = 0;
}
