/* What kept events see: a run loop that logs what their statements read, store and are returned.

   Variables and elements are logged as they are read, by content; so are the values that are stored,
   printed and handed to calls, and whether a condition is true.  Nothing here calls code of the
   program: what is tied is known by the object behind it. */

#define LOOKS_SIZE (64 << 20) /* a million looks or more; the host takes five times as much */
#define TOO_MANY_LOOKS -1
#define MOST_PARTS 10000 /* of the content of one value */
#define DEEPEST_PART 60
#define SHALLOW 0

typedef struct {
    U64 hash;
    int parts, references;
    SV *seen[512];
} Digest;

static void start_digest(Digest *d) {
    d->hash = 14695981039346656037ULL;
    d->parts = d->references = 0;
}
static void mix(Digest *d, const char *bytes, STRLEN size) {
    for (; size--; bytes++)
        d->hash = (d->hash ^ (unsigned char)*bytes) * 1099511628211ULL;
    d->hash ^= d->hash >> 29;
}
static void mix_text(Digest *d, const char *text) { mix(d, text, strlen(text) + 1); }
static SV *tied_object(pTHX_ SV *sv) {
    MAGIC *mg;
    if (SvTYPE(sv) >= SVt_PVMG)
        for (mg = SvMAGIC(sv); mg; mg = mg->mg_moremagic)
            if (mg->mg_type == PERL_MAGIC_tied || mg->mg_type == PERL_MAGIC_tiedelem ||
                mg->mg_type == PERL_MAGIC_tiedscalar)
                return mg->mg_obj ? mg->mg_obj : &PL_sv_undef;
    return NULL;
}
static void mix_value(pTHX_ Digest *, SV *, int);
static void mix_number(pTHX_ Digest *d, SV *sv) {
    char text[64];
    if (SvIOK(sv) && SvIsUV(sv))
        sprintf(text, "%" UVuf, SvUVX(sv));
    else if (SvIOK(sv))
        sprintf(text, "%" IVdf, SvIVX(sv));
    else if (SvNVX(sv) == (NV)(IV)SvNVX(sv) && fabs(SvNVX(sv)) < 1e18)
        sprintf(text, "%" IVdf, (IV)SvNVX(sv));
    else
        sprintf(text, "%.17g", (double)SvNVX(sv));
    mix_text(d, text);
}
static void mix_string(Digest *d, SV *sv) { /* the same for both ways to store characters */
    const U8 *at = (const U8 *)SvPVX_const(sv), *end = at + SvCUR(sv);
    if (SvUTF8(sv)) {
        mix(d, (const char *)at, SvCUR(sv));
        return;
    }
    for (; at < end; at++) {
        char two[2] = {(char)(0xC0 | *at >> 6), (char)(0x80 | (*at & 0x3F))};
        if (*at < 0x80)
            mix(d, (const char *)at, 1);
        else
            mix(d, two, 2);
    }
}
static int compare_entries(const void *one, const void *other) {
    return strcmp(HeKEY(*(HE *const *)one), HeKEY(*(HE *const *)other));
}
/* Perl runs with one order of hashes, which the program sees by `keys`: contents are without it. */
static HE **sorted_entries(pTHX_ HV *hv, SSize_t *count) {
    SSize_t i, n = 0, buckets = HvARRAY(hv) ? (SSize_t)HvMAX(hv) + 1 : 0;
    HE **all = (HE **)malloc((HvTOTALKEYS(hv) + 1) * sizeof *all), *entry;
    for (i = 0; i < buckets; i++)
        for (entry = HvARRAY(hv)[i]; entry; entry = HeNEXT(entry))
            if (HeVAL(entry) != &PL_sv_placeholder && HeKLEN(entry) != HEf_SVKEY)
                all[n++] = entry;
    qsort(all, n, sizeof *all, compare_entries);
    *count = n;
    return all;
}
static void mix_entries(pTHX_ Digest *d, HV *hv, int depth) {
    SSize_t i, n;
    HE **all = sorted_entries(aTHX_ hv, &n);
    for (i = 0; i < n; i++) {
        mix(d, HeKEY(all[i]), HeKLEN(all[i]) + 1);
        mix_value(aTHX_ d, HeVAL(all[i]), depth);
    }
    free(all);
}
static void mix_captured(pTHX_ Digest *d, CV *cv, int depth) {
    PADLIST *pads = CvISXSUB(cv) ? NULL : CvPADLIST(cv);
    PADNAMELIST *names = pads ? PadlistNAMES(pads) : NULL;
    PAD *pad = pads && PadlistMAX(pads) >= 1 ? PadlistARRAY(pads)[1] : NULL;
    SSize_t i;
    if (CvSTART(cv) && !CvISXSUB(cv))
        mix(d, (const char *)&CvSTART(cv), sizeof(OP *)); /* the same in each fork */
    for (i = 1; pad && i <= PadnamelistMAX(names) && i <= AvFILLp(pad); i++) {
        PADNAME *name = PadnamelistARRAY(names)[i];
        SV *held = AvARRAY(pad)[i];
        if (name && held && PadnameLEN(name) && PadnameOUTER(name) && *PadnamePV(name) != '&')
            mix_value(aTHX_ d, held, depth);
    }
}
/* Where the object of a module in C is. */
static int is_address(SV *to) {
    return SvOBJECT(to) && SvTYPE(to) < SVt_PVLV && SvIOK(to) && !SvPOK(to) && SvIVX(to) > 65536;
}
/* What a reference refers to, or a variable holds.  depth: how much deeper to look. */
static void mix_value(pTHX_ Digest *d, SV *sv, int depth) {
    SV *behind;
    SSize_t i;
    if (!sv) {
        mix_text(d, "none");
        return;
    }
    if (++d->parts > MOST_PARTS)
        return;
    if ((behind = tied_object(aTHX_ sv))) {
        mix_text(d, "tied");
        if (depth > SHALLOW)
            mix_value(aTHX_ d, behind, depth - 1);
        return;
    }
    switch (SvTYPE(sv)) {
    case SVt_PVAV:
        mix_text(d, "array");
        for (i = 0; i <= AvFILLp((AV *)sv); i++)
            mix_value(aTHX_ d, AvARRAY((AV *)sv)[i], depth);
        return;
    case SVt_PVHV:
        mix_text(d, "hash");
        mix_entries(aTHX_ d, (HV *)sv, depth);
        return;
    case SVt_PVCV:
        mix_text(d, "code");
        if (depth > SHALLOW)
            mix_captured(aTHX_ d, (CV *)sv, depth - 1);
        return;
    case SVt_PVGV:
    case SVt_PVIO:
    case SVt_PVFM:
        mix_text(d, "handle");
        return;
    case SVt_REGEXP:
        mix_text(d, "regexp");
        mix(d, RX_WRAPPED((REGEXP *)sv), RX_WRAPLEN((REGEXP *)sv));
        return;
    default:
        break;
    }
    if (SvROK(sv)) {
        SV *to = SvRV(sv);
        mix_text(d, "reference to");
        mix_text(d, sv_reftype(to, 0));
        if (SvOBJECT(to))
            mix_text(d, sv_reftype(to, 1));
        if (depth <= SHALLOW)
            return;
        for (i = 0; i < d->references; i++)
            if (d->seen[i] == to) { /* of a cycle, or something shared: which one it is */
                mix(d, (const char *)&i, sizeof i);
                return;
            }
        if (d->references < (int)C_ARRAY_LENGTH(d->seen))
            d->seen[d->references++] = to;
        if (is_address(to))
            mix_text(d, "address");
        else
            mix_value(aTHX_ d, to, depth - 1);
        return;
    }
    if (SvGMAGICAL(sv))
        mg_get(sv); /* perl's own: nothing of the program runs */
    if (SvPOK(sv)) {
        mix_text(d, "text");
        mix_string(d, sv);
        if (SvNIOK(sv) && SvNV_nomg(sv) != Atof(SvPVX(sv)))
            mix_number(aTHX_ d, sv);
    } else if (SvNIOK(sv)) {
        mix_text(d, "number");
        mix_number(aTHX_ d, sv);
    } else if (SvPOKp(sv)) {
        mix_text(d, "text");
        mix_string(d, sv);
    } else if (SvIOKp(sv) || SvNOKp(sv)) {
        mix_text(d, "number");
        {
            NV held = SvNOKp(sv) ? SvNVX(sv) : (NV)SvIVX(sv);
            mix(d, (const char *)&held, sizeof held);
        }
    } else
        mix_text(d, "undef");
}
/* A value for people, in one line. */
static void show_value(pTHX_ char *to, SV *sv) {
    const int most = 60;
    if (!sv || SvTYPE(sv) == SVt_PVGV || SvTYPE(sv) == SVt_PVIO)
        strcpy(to, sv ? "a handle" : "nothing");
    else if (tied_object(aTHX_ sv))
        strcpy(to, "a tied variable");
    else if (SvROK(sv))
        snprintf(to, most, SvOBJECT(SvRV(sv)) ? "a reference to %s" : "a reference to a%s %s",
                 SvOBJECT(SvRV(sv)) ? sv_reftype(SvRV(sv), 1)
                                    : strchr("AEIOU", *sv_reftype(SvRV(sv), 0)) ? "n" : "",
                 sv_reftype(SvRV(sv), 0));
    else if (SvTYPE(sv) == SVt_PVAV)
        sprintf(to, "%ld items", (long)AvFILLp((AV *)sv) + 1);
    else if (SvTYPE(sv) == SVt_PVHV)
        sprintf(to, "%ld keys", (long)HvTOTALKEYS((HV *)sv));
    else if (SvPOK(sv) || SvPOKp(sv)) {
        STRLEN i;
        *to++ = '"';
        for (i = 0; i < SvCUR(sv) && i < (STRLEN)most; i++)
            *to++ = SvPVX(sv)[i] >= ' ' && SvPVX(sv)[i] < 127 ? SvPVX(sv)[i] : ' ';
        strcpy(to, i < SvCUR(sv) ? "...\"" : "\"");
    } else if (SvIOK(sv))
        sprintf(to, "%" IVdf, SvIVX(sv));
    else if (SvNOK(sv))
        sprintf(to, "%.15g", (double)SvNVX(sv));
    else
        strcpy(to, "undef");
}
static int watched_node(void) { /* the kept event that perl is in */
    Frame *f = frame_count ? &frames[frame_count - 1] : NULL;
    return f && f->top >= 0 && f->open[f->top].on ? f->open[f->top].node : 0;
}
static void log_line(int n, const char *name, U64 hash, const char *text) {
    if (head->log_size == TOO_MANY_LOOKS)
        return;
    if (head->log_size > LOOKS_SIZE - 400) {
        head->log_size = TOO_MANY_LOOKS;
        return;
    }
    head->log_size += sprintf(looks + head->log_size, "%d\t%.80s\t%" UVXf "\t%s\n", n, name,
                                 (UV)hash, text);
}
static void log_values(pTHX_ const char *name, SV **from, SV **to, int depth) {
    static Digest d;
    char text[200];
    SV **each;
    int n = watched_node();
    if (!n)
        return;
    start_digest(&d);
    for (each = from; each <= to; each++)
        mix_value(aTHX_ & d, *each, depth);
    if (from == to)
        show_value(aTHX_ text, *from);
    else
        sprintf(text, "%ld values", (long)(to - from) + 1);
    log_line(n, name, d.hash, text);
}
static void log_decision(int n, int taken) {
    log_line(n, "the condition", (U64)taken, taken ? "true" : "false");
}
/* Whether the value that an op leaves is only stored into, or is a container of which a part is meant. */
static int is_place(OP *o) {
    OP *child, *p = o;
    do {
        child = p;
        if (OpHAS_SIBLING(p) && OpSIBLING(p)->op_type == OP_READLINE &&
            OpSIBLING(p)->op_flags & OPf_STACKED)
            return 1; /* $x = <FILE> is no assignment any more */
        p = op_parent(p);
    } while (p && p->op_type == OP_NULL);
    if (!p)
        return 0;
    if (p->op_type == OP_SASSIGN || p->op_type == OP_AASSIGN)
        return !OpHAS_SIBLING(child) && first_child(p) != child;
    switch (p->op_type) {
    case OP_REFGEN: case OP_SREFGEN:
        return 1;
    case OP_AELEM: case OP_HELEM: case OP_ASLICE: case OP_HSLICE: case OP_KVASLICE:
    case OP_KVHSLICE: case OP_PUSH: case OP_UNSHIFT: case OP_EXISTS: case OP_DELETE:
    case OP_SHIFT: case OP_POP: case OP_SPLICE: case OP_KEYS: case OP_VALUES: case OP_EACH:
    case OP_AV2ARYLEN: case OP_ENTERITER:
        return (o->op_flags & OPf_REF) && o->op_type != OP_PADSV && o->op_type != OP_GVSV &&
               o->op_type != OP_RV2SV;
    }
    return 0;
}
static const char *op_variable(pTHX_ OP *o) {
    static char name[100];
    OP *k = first_child(o);
    GV *gv = o->op_type == OP_GVSV || o->op_type == OP_AELEMFAST ? cGVOPx_gv(o)
             : k && k->op_type == OP_GV                          ? cGVOPx_gv(k)
                                                                 : NULL;
    if (gv && isGV(gv)) {
        sprintf(name, "%c%.80s",
                o->op_type == OP_RV2AV || o->op_type == OP_AELEMFAST ? '@'
                : o->op_type == OP_RV2HV                             ? '%'
                                                                     : '$',
                GvNAME(gv));
        return name;
    }
    if (o->op_targ && (o->op_type == OP_PADSV || o->op_type == OP_PADAV || o->op_type == OP_PADHV ||
                       o->op_type == OP_AELEMFAST_LEX)) {
        CV *cv = find_runcv(NULL);
        PADNAMELIST *names = cv && CvPADLIST(cv) ? PadlistNAMES(CvPADLIST(cv)) : NULL;
        PADNAME *pad = names && (SSize_t)o->op_targ <= PadnamelistMAX(names)
                           ? PadnamelistARRAY(names)[o->op_targ]
                           : NULL;
        if (pad && PadnamePV(pad))
            return PadnamePV(pad);
    }
    return OP_DESC(o);
}
static int is_declaring(OP *o) {
    switch (o->op_type) {
    case OP_PADSV: case OP_PADAV: case OP_PADHV: case OP_GVSV: case OP_RV2SV: case OP_RV2AV:
    case OP_RV2HV: case OP_AELEM: case OP_HELEM: case OP_MULTIDEREF: case OP_ASLICE: case OP_HSLICE:
        return o->op_private & OPpLVAL_INTRO;
    }
    return 0;
}
/* Where the values that an op leaves begin, if it reads any; from: what the stack had before. */
static int first_value(pTHX_ OP *o, SSize_t before, SSize_t mark) {
    int want = o->op_flags & OPf_WANT ? o->op_flags & OPf_WANT : block_gimme();
    int list = want == OPf_WANT_LIST, one = (int)(PL_stack_sp - PL_stack_base);
    if (want == OPf_WANT_VOID)
        return -1;
    switch (o->op_type) {
    case OP_PADAV: case OP_PADHV:
        return list && !(o->op_flags & OPf_REF) ? (int)before + 1 : one;
    case OP_RV2AV: case OP_RV2HV:
        return list && !(o->op_flags & OPf_REF) ? (int)before : one;
    case OP_KEYS: case OP_VALUES: case OP_EACH: case OP_READLINE: case OP_BACKTICK:
    case OP_AKEYS: case OP_AVALUES: case OP_AEACH:
        return list ? (int)before : one;
    case OP_ASLICE: case OP_HSLICE: case OP_KVASLICE: case OP_KVHSLICE: case OP_SPLICE:
    case OP_SYSTEM: case OP_OPEN: case OP_READ: case OP_SYSREAD: case OP_UNLINK:
        return list ? (int)mark + 1 : one;
    case OP_DELETE:
        return list && o->op_private & OPpSLICE ? (int)mark + 1 : one;
    case OP_MATCH:
        return list ? (int)before + 1 - !!(o->op_flags & OPf_STACKED) : one;
    case OP_ENTERSUB:
        return list ? (int)mark + 1 : one;
    case OP_PADSV: case OP_GVSV: case OP_RV2SV: case OP_AELEM: case OP_HELEM: case OP_AELEMFAST:
    case OP_AELEMFAST_LEX: case OP_MULTIDEREF: case OP_SHIFT: case OP_POP: case OP_SUBST:
    case OP_TRANS: case OP_EOF: case OP_EXISTS: case OP_TIME: case OP_RAND: case OP_WANTARRAY:
    case OP_REF: case OP_GLOB:
        return one;
    }
    return o->op_type >= OP_FTRREAD && o->op_type <= OP_FTBINARY ? one : -1;
}
/* What an op is about to store, print or hand over. */
static void log_operands(pTHX_ OP *o, SV **sp) {
    SV *one;
    switch (o->op_type) {
    case OP_SASSIGN:
        one = o->op_private & OPpASSIGN_BACKWARDS ? sp[0] : sp[-1];
        log_values(aTHX_ "what is stored", &one, &one, SHALLOW);
        return;
    case OP_AASSIGN:
        log_values(aTHX_ "what is stored", PL_stack_base + PL_markstack_ptr[-1] + 1,
                   PL_stack_base + TOPMARK, SHALLOW);
        return;
    case OP_MATCH: case OP_SUBST: case OP_TRANS:
        if (o->op_flags & OPf_STACKED)
            return;
        one = o->op_targ && (o->op_type != OP_SUBST || !(o->op_private & OPpTARGET_MY))
                  ? PAD_SVl(o->op_targ) : DEFSV;
        log_values(aTHX_ "what is matched", &one, &one, SHALLOW);
        return;
    case OP_PRINT: case OP_SAY: case OP_PRTF: case OP_DIE: case OP_WARN: case OP_PUSH:
    case OP_UNSHIFT: case OP_SYSTEM: case OP_EXEC: case OP_UNLINK: case OP_JOIN: case OP_SPRINTF: {
        SV **from = PL_stack_base + TOPMARK + 1;
        if (o->op_type == OP_PUSH || o->op_type == OP_UNSHIFT ||
            (o->op_flags & OPf_STACKED && o->op_type != OP_JOIN && o->op_type != OP_SPRINTF))
            from++; /* the array, or where to */
        log_values(aTHX_ OP_DESC(o), from, sp, o->op_type == OP_DIE ? DEEPEST_PART : SHALLOW);
        return;
    }
    case OP_ENTERSUB: {
        SV *sub = SvROK(*sp) ? SvRV(*sp) : *sp;
        CV *cv = SvTYPE(sub) == SVt_PVCV ? (CV *)sub : isGV_with_GP(sub) ? GvCV((GV *)sub) : NULL;
        int own = cv && !CvISXSUB(cv) && is_users(aTHX_ CvFILE(cv));
        log_values(aTHX_ "arguments", PL_stack_base + TOPMARK + 1, sp - 1,
                   own ? SHALLOW : DEEPEST_PART);
        return;
    }
    }
}
static SV **loop_item(pTHX) {
    PERL_CONTEXT *cx = cxstack_ix >= 0 ? CX_CUR() : NULL;
    return cx && CxTYPE_is_LOOP(cx) ? CxITERVAR(cx) : NULL;
}
static int is_leaving(OP *o) {
    return o->op_type == OP_LEAVESUB || o->op_type == OP_LEAVESUBLV || o->op_type == OP_RETURN ||
           o->op_type == OP_LEAVEEVAL;
}
static int is_of_user(pTHX) {
    static COP *last;
    static int is;
    if (PL_curcop != last) {
        last = PL_curcop;
        is = last != &PL_compiling && is_users(aTHX_ CopFILE(last));
    }
    return is;
}
static int run_observed(pTHX) {
    OP *o = PL_op;
    while (o) {
        SSize_t before = PL_stack_sp - PL_stack_base, base = -1, at = -1;
        SSize_t mark = PL_opargs[o->op_type] & OA_MARK && PL_markstack_ptr > PL_markstack ? TOPMARK : before;
        int user = mode == M_REPLAY && PL_phase == PERL_PHASE_RUN && is_of_user(aTHX), want = 0;
        OP *next;
        if (user && watched_node())
            log_operands(aTHX_ o, PL_stack_sp);
        if (is_leaving(o)) {
            I32 ix = cxstack_ix;
            while (ix >= 0 && CxTYPE(&cxstack[ix]) != CXt_SUB && CxTYPE(&cxstack[ix]) != CXt_EVAL)
                ix--;
            if (ix >= 0) {
                base = cxstack[ix].blk_oldsp;
                want = cxstack[ix].blk_gimme;
            }
        }
        next = o->op_ppaddr(aTHX);
        PL_op = next;
        if (mode == M_REPLAY && PL_phase == PERL_PHASE_RUN && watched_node() && is_of_user(aTHX)) {
            if (base >= 0 && want != G_VOID)
                log_values(aTHX_ "what is returned",
                           want == G_SCALAR ? PL_stack_sp : PL_stack_base + base + 1, PL_stack_sp,
                           SHALLOW);
            else if (user && o->op_type == OP_ITER && loop_item(aTHX))
                log_values(aTHX_ "the item", loop_item(aTHX), loop_item(aTHX), SHALLOW);
            else if (user && base < 0 && next == o->op_next && !is_declaring(o) && !is_place(o) &&
                     (at = first_value(aTHX_ o, before, mark)) >= 0)
                log_values(aTHX_ op_variable(aTHX_ o), PL_stack_base + at, PL_stack_sp, SHALLOW);
            else if (user && o->op_type == OP_PADRANGE && o->op_flags & OPf_SPECIAL)
                log_values(aTHX_ "@_", (SV **)&GvAV(PL_defgv), (SV **)&GvAV(PL_defgv), SHALLOW);
            if (user && o->op_targ && o->op_private & OPpTARGET_MY &&
                ((PL_opargs[o->op_type] & OA_TARGLEX) || o->op_type == OP_MULTICONCAT))
                log_values(aTHX_ "what is stored", &PAD_SVl(o->op_targ), &PAD_SVl(o->op_targ), SHALLOW);
        }
        o = next;
    }
    PERL_ASYNC_CHECK();
    TAINT_NOT;
    return 0;
}
