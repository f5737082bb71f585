/* What variables hold after statements: those that a criterion names (probes), and those that kept
   statements name.  A statement is finished where one that is left out would go on. */

typedef struct {
    char *name; /* with or without a sigil, and packages */
    int line;
} Probe;

typedef struct {
    int is_known;
    char text[LONGEST_TEXT + 4];
} Probed; /* shared with the server */

#define MOST_PROBES 16
#define SHOWN_TEXT 200
static Probe probes[MOST_PROBES];
static Probed *probed;
static int probe_count;

static int is_same_name(PADNAME *pad, char sigil, const char *name) {
    const char *own = pad && PadnameLEN(pad) ? PadnamePV(pad) : NULL;
    return own && *own == sigil && !strcmp(own + 1, name) && !PadnameIsOUR(pad);
}
/* The variable of a sub that is in scope at a statement (its sequence number), or is declared there. */
static SV *pad_variable(CV *cv, U32 seq, Site *s, char sigil, const char *name) {
    PADLIST *pads = cv && !CvISXSUB(cv) ? CvPADLIST(cv) : NULL;
    PADNAMELIST *names = pads ? PadlistNAMES(pads) : NULL;
    SSize_t depth = CvDEPTH(cv) ? CvDEPTH(cv) : 1, i;
    PAD *pad = pads && PadlistMAX(pads) >= depth ? PadlistARRAY(pads)[depth] : NULL;
    int each;
    for (each = 0; pad && s && each < s->npad; each++)
        if (is_same_name(PadnamelistARRAY(names)[s->pads[each]], sigil, name))
            return AvARRAY(pad)[s->pads[each]];
    for (i = pad ? PadnamelistMAX(names) : 0; i > 0; i--) {
        PADNAME *known = PadnamelistARRAY(names)[i];
        if (is_same_name(known, sigil, name) && i <= AvFILLp(pad) &&
            (PadnameOUTER(known) ||
             (seq > COP_SEQ_RANGE_LOW(known) && seq <= COP_SEQ_RANGE_HIGH(known))))
            return AvARRAY(pad)[i];
    }
    return NULL;
}
static SV *package_variable(pTHX_ char sigil, const char *name) {
    svtype type = sigil == '$' ? SVt_PV : sigil == '@' ? SVt_PVAV : SVt_PVHV;
    HV *stash = CopSTASH(PL_curcop);
    GV *gv;
    SV *whole = strstr(name, "::") || !stash
                    ? sv_2mortal(newSVpv(name, 0))
                    : sv_2mortal(Perl_newSVpvf(aTHX_ "%s::%s", HvNAME(stash), name));
    gv = gv_fetchsv(whole, 0, type);
    if (!gv || !isGV_with_GP(gv))
        return NULL;
    return sigil == '$' ? GvSV(gv) : sigil == '@' ? (SV *)GvAV(gv) : (SV *)GvHV(gv);
}
static SV *find_variable(pTHX_ Site *s, char sigil, const char *name) {
    CV *cv = find_runcv(NULL);
    U32 seq = PL_curcop->cop_seq;
    SV *found;
    for (; cv; seq = CvOUTSIDE_SEQ(cv), cv = CvOUTSIDE(cv), s = NULL)
        if ((found = pad_variable(cv, seq, s, sigil, name)))
            return found;
    return package_variable(aTHX_ sigil, name);
}
static void look_at_probes(pTHX_ Site *s) {
    int i;
    for (i = 0; i < s->probe_count; i++) {
        const char *name = probes[s->probes[i]].name;
        Probed *kept = &probed[s->probes[i]];
        SV *found = NULL;
        if (strchr("$@%", *name))
            found = find_variable(aTHX_ s, *name, name + 1);
        else if (!(found = find_variable(aTHX_ s, '$', name)) &&
                 !(found = find_variable(aTHX_ s, '@', name)))
            found = find_variable(aTHX_ s, '%', name);
        kept->is_known = found != NULL;
        if (found)
            tell_value(aTHX_ kept->text, LONGEST_TEXT, found);
    }
}
/* Log the variables that a statement names: once it is finished those that it may have changed,
   before it those that it only reads. */
static void show_variables(pTHX_ Site *s, int n, int after) {
    char text[SHOWN_TEXT + 4];
    int i;
    for (i = 0; i < s->location_count; i++) {
        Location *known = &s->locations[i];
        const char *name = known->name + 2 * !strncmp(known->name, "::", 2);
        int changes = known->how & ~READ;
        SV *held;
        if ((!known->pad && !known->gv) || !!changes != after)
            continue;
        if (known->pad)
            held = PAD_SVl(known->pad);
        else if (!isGV_with_GP(known->gv))
            continue;
        else
            held = *name == '$'   ? GvSV(known->gv)
                   : *name == '@' ? (SV *)GvAV(known->gv)
                                  : (SV *)GvHV(known->gv);
        tell_value(aTHX_ text, SHOWN_TEXT, held);
        log_line(n, name, 0, text);
    }
}
static void look_after(pTHX_ Level *l) {
    Site *s = l->pending;
    l->pending = NULL;
    if (looking == LOOK_SHOW && l->pending_node)
        show_variables(aTHX_ s, l->pending_node, 1);
    look_at_probes(aTHX_ s);
}
/* What is pending at some level of the innermost activation, or deeper, is over. */
static void end_pending(pTHX_ Frame *f, int from) {
    int d;
    for (d = f->top; d >= from; d--)
        if (f->open[d].pending)
            look_after(aTHX_ & f->open[d]);
}
static void start_pending(Level *l, Site *s) {
    l->pending = looking == LOOK_SHOW || s->probe_count ? s : NULL;
    l->pending_node = 0;
}
/* What is kept is looked at, not only by probes. */
static void begin_kept(pTHX_ Level *l, Site *s, int n) {
    l->pending_node = n;
    if (looking == LOOK_SHOW)
        show_variables(aTHX_ s, n, 0);
}
static int is_finished(Site *s, OP *done, OP *next) {
    if (s->logop && s->kind != FOREACH)
        return done == s->logop || (s->kind == ITER && done == strip(first_child(s->logop)));
    if (s->kind == FOREACH)
        return done == s->enter;
    return next && s->after && skip_null(next) == skip_null(s->after->op_next);
}
static int run_watched(pTHX) {
    OP *o = PL_op;
    while (o) {
        Frame *f = frame_count ? &frames[frame_count - 1] : NULL;
        OP *next;
        int d;
        if (f && f->si == PL_curstackinfo && f->top >= 0 && f->open[f->top].pending &&
            f->open[f->top].pending->jump && o == f->open[f->top].pending->stmt)
            end_pending(aTHX_ f, f->top); /* afterwards its variables are gone */
        next = o->op_ppaddr(aTHX);
        PL_op = next;
        f = frame_count ? &frames[frame_count - 1] : NULL;
        if (f && f->si == PL_curstackinfo)
            for (d = 0; d <= f->top; d++)
                if (f->open[d].pending && is_finished(f->open[d].pending, o, next)) {
                    end_pending(aTHX_ f, d);
                    break;
                }
        o = next;
    }
    PERL_ASYNC_CHECK();
    TAINT_NOT;
    return 0;
}
