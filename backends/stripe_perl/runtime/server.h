/* The server: the program is compiled once, and forked for each run. */

#define BURIAL_TRIES 1000 /* milliseconds for processes that we may not end */

static int ends_are_known; /* of a recording only once somebody replays it here */
static void find_node_ends(void) {
    int i;
    ends_are_known = 1;
    node_count = head->n;
    node_end = (int *)realloc(node_end, (node_count + 2) * sizeof *node_end);
    for (i = 0; i <= node_count; i++)
        node_end[i] = i + 1;
    for (i = node_count; i > 0; i--) {
        int p = node[i].parent;
        if (node_end[i] > node_end[p])
            node_end[p] = node_end[i];
    }
}
static off_t file_offsets[256]; /* an open file (DATA!) shares its offset with every fork */
static void offsets(int restore) {
    int fd;
    char b[64];
    for (fd = 3; fd < 200; fd++) {
        if (!restore) {
            file_offsets[fd] =
                (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY ? lseek(fd, 0, SEEK_CUR) : -1;
            continue;
        }
        if (file_offsets[fd] < 0)
            continue;
        {
            int f;
            sprintf(b, "/proc/self/fd/%d", fd);
            f = open(b, O_RDONLY | O_CLOEXEC);
            if (f >= 0) {
                lseek(f, file_offsets[fd], SEEK_SET);
                dup3(f, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
                close(f);
            }
        }
    }
}
/* A child of the run may execute a command, but no statement: see live(). */
static void mark_child(void) {
    dTHX;
    mode = M_OFF;
    forked_line = CopLINE(PL_curcop);
}

/* What runs may write into a file is limited, and less than what a long recording takes. */
static void limit_files(rlim_t most) {
    struct rlimit files;
    getrlimit(RLIMIT_FSIZE, &files);
    files.rlim_cur = most < files.rlim_max ? most : files.rlim_max;
    setrlimit(RLIMIT_FSIZE, &files);
}

static FILE *open_in(const char *folder, const char *name, const char *how) {
    char path[4096];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, how);
    if (!file)
        give_up(name);
    return file;
}
/* A descriptor becomes that of a file; so do its duplicates, which modules have made meanwhile. */
static void redirect(int to, const char *folder, const char *name, int flags) {
    char path[4096];
    struct stat old, other;
    int fd, each;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, flags, 0644);
    if (fd < 0 || fstat(to, &old))
        give_up(name);
    for (each = 3; each < 200; each++)
        if (to && each != fd && !fstat(each, &other) && other.st_dev == old.st_dev &&
            other.st_ino == old.st_ino)
            dup3(fd, each, fcntl(each, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    dup2(fd, to);
    close(fd);
}
/* "JUMP GROUP CHAIN": how it leaves, on what it decides, and the groups around it, inside out. */
static void write_control(FILE *file, Site *s) {
    int labelled = s->jump && s->jump != OP_DIE && s->jump != OP_EXIT && s->jump != OP_RETURN &&
                   !(s->stmt->op_flags & OPf_SPECIAL);
    Group *g = s->within;
    fprintf(file, "%s\t%d\t", !s->jump ? "-" : labelled ? "label" : PL_op_name[s->jump],
            s->group ? s->group->id : 0);
    for (; g; g = g->up)
        fprintf(file, "%d%s ", g->id, g->is_loop ? "L" : "");
    fprintf(file, "\t");
}
static void write_sites(const char *folder) {
    FILE *file = open_in(folder, "sites", "w");
    int i;
    for (i = 1; i <= site_count; i++) {
        Site *s = sites[i];
        fprintf(file, "%d\t%d\t%d\t%s\t%s\t%d\t", s->line, s->unit, s->fixed,
                s->kind == ROUND && s->enter ? "loop" : kind_names[s->kind],
                PL_op_name[s->op_type], stop_of(s) != NULL);
        write_locations(file, s);
        write_control(file, s);
        fprintf(file, "%s\t%s\n", s->function ? s->function : "", s->file);
    }
    fclose(file);
}
/* The nodes, whether written by this server or by another one of the same program. */
static void move_nodes(const char *folder, int load) {
    FILE *file = open_in(folder, "nodes", load ? "r" : "w");
    if (load) {
        head->n = (int)fread(node + 1, sizeof *node, MOST_NODES - 1, file);
        find_node_ends();
    } else if (fwrite(node + 1, sizeof *node, head->n, file) != (size_t)head->n)
        give_up("nodes");
    fclose(file);
}
static void read_kept(const char *folder) {
    FILE *file = open_in(folder, "kept", "r");
    is_kept = (unsigned char *)calloc(node_count + 2, 1);
    if (fread(is_kept + 1, 1, node_count, file) != (size_t)node_count)
        give_up("kept");
    fclose(file);
}
/* Modules note $$ as they are compiled, and do not speak at the end for what is not that process, as
   Test::More does: so $$ stays what it was then, and `kill` takes it for the run itself. */
static void keep_pid(pTHX) {
    SV *pid = GvSVn(gv_fetchpvs("$", GV_ADD | GV_NOTQUAL, SVt_PV));
    sv_unmagic(pid, PERL_MAGIC_sv);
    sv_setiv(pid, (IV)compiled_by);
}
static void write_looks(const char *folder) {
    FILE *file = open_in(folder, "looks", "w");
    if (head->log_size == TOO_MANY_LOOKS)
        fputc(0, file);
    else if (fwrite(looks, 1, head->log_size, file) != (size_t)head->log_size)
        give_up("looks");
    fclose(file);
    munmap(looks, LOOKS_SIZE);
    looks = NULL;
}
static void write_probed(const char *folder) {
    FILE *file = open_in(folder, "probed", "w");
    int i;
    for (i = 0; i < probe_count; i++)
        fprintf(file, "%d %s\n", probed[i].is_known, probed[i].is_known ? probed[i].text : "");
    fclose(file);
}
/* Lines "NAME SITE SITE ...": after which statements to look at a variable. */
static void read_probes(const char *folder) {
    FILE *file = open_in(folder, "probes", "r");
    char name[256], end;
    int id;
    while (probe_count < MOST_PROBES && fscanf(file, "%255s", name) == 1) {
        probes[probe_count].name = strdup(name);
        while (fscanf(file, "%d%c", &id, &end) == 2) {
            Site *s = id ? sites[id] : NULL; /* 0: none */
            if (s) {
                s->probes = (int *)realloc(s->probes, (s->probe_count + 1) * sizeof(int));
                s->probes[s->probe_count++] = probe_count;
            }
            if (end == '\n')
                break;
        }
        probe_count++;
    }
    fclose(file);
    probed = (Probed *)mmap(NULL, sizeof(Probed) * MOST_PROBES, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probed == MAP_FAILED)
        give_up("probes");
}
/* What the program has started as it was compiled: it is there in each run, and none has left it. */
static pid_t *compiled_children;
static int compiled_child_count;
static int is_compiled_child(pid_t pid) {
    int i;
    for (i = 0; i < compiled_child_count; i++)
        if (compiled_children[i] == pid)
            return 1;
    return 0;
}
/* Uses each other process that has us for a parent; how many there are. */
static int for_each_child(void (*use)(pid_t)) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int found = 0;
    while (folder && (entry = readdir(folder))) {
        char path[64], text[512], *end;
        int parent, file, size, pid = atoi(entry->d_name);
        if (pid <= 0)
            continue;
        sprintf(path, "/proc/%d/stat", pid);
        file = open(path, O_RDONLY | O_CLOEXEC);
        size = file < 0 ? 0 : (int)read(file, text, sizeof text - 1);
        if (file >= 0)
            close(file);
        text[size > 0 ? size : 0] = 0;
        end = strrchr(text, ')'); /* a name may have any character */
        if (end && sscanf(end + 1, " %*c %d", &parent) == 1 && parent == getpid() &&
            !is_compiled_child(pid)) {
            use(pid);
            found++;
        }
    }
    if (folder)
        closedir(folder);
    return found;
}
static void note_child(pid_t pid) {
    compiled_children =
        (pid_t *)realloc(compiled_children, (compiled_child_count + 1) * sizeof(pid_t));
    compiled_children[compiled_child_count++] = pid;
}
static void end_child(pid_t pid) {
    kill(-pid, SIGKILL); /* if it leads a group */
    kill(pid, SIGKILL);
}
/* What loses its parent becomes our child: whatever has us for a parent was started by a run. */
static void become_heir(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for_each_child(note_child);
}
/* Ends what a run has left behind, in whatever group or session, and waits until it is gone: what
   is dying may still write into the folder of the next run. */
static void bury(void) {
    int tries;
    for (tries = 0; tries < BURIAL_TRIES; tries++) {
        pid_t pid;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (pid < 0 || !for_each_child(end_child))
            return;
        usleep(1000);
    }
}
/* Waits for the end of a run, which is not reaped; whether it came within the seconds. */
static int await_run(pid_t run, double seconds, const sigset_t *child) {
    struct timespec now, left;
    double end;
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = (double)now.tv_sec + (double)now.tv_nsec / 1e9 + seconds;
    for (;;) {
        siginfo_t ended;
        ended.si_pid = 0;
        while (!waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) && ended.si_pid) {
            if (ended.si_pid == run)
                return 1;
            waitpid(ended.si_pid, NULL, 0); /* what a run has left may end before it */
            ended.si_pid = 0;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        seconds = end - (double)now.tv_sec - (double)now.tv_nsec / 1e9;
        if (seconds <= 0)
            return 0;
        left.tv_sec = (time_t)seconds;
        left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
        sigtimedwait(child, NULL, &left);
    }
}
static char *at; /* the working directory, by its path: where it is renewed after a run, the folder
                    that was opened as it is another one now */
static void become_run(pTHX_ const char *folder, int how) {
    if (at && chdir(at))
        at = NULL; /* what was compiled has made it, in what was renewed */
    if (looking)
        PL_runops = looking == LOOK_COMPARE ? run_observed : run_watched;
    setpgid(0, 0);
    if (how != M_RECORD)
        read_kept(folder);
    offsets(1);
    redirect(0, folder, "stdin", O_RDONLY);
    redirect(1, folder, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, folder, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
    PERL_SET_THX(aTHX);
    keep_pid(aTHX);
    frame_count = 0;
    mode = how;
    pthread_atfork(NULL, NULL, mark_child);
}
/* Answers commands, a line each: "record SECONDS [cut]", "replay SECONDS", "program SECONDS" (the control
   mode), "step SECONDS", "load CUT" (nodes; the one at which to cut runs off, or 0) and "probes".
   With "compare" or "show" behind, what kept events see is logged.  Files of fixed names in a folder
   hold the rest.  Returns in each run. */
static void serve(pTHX_ int requests, const char *folder) {
    char line[256], command[16], more[16];
    FILE *in = fdopen(requests, "r"), *out = fdopen(requests + 1, "w");
    int own_errno = errno; /* `die` exits with it */
    struct rlimit of_runs;
    getrlimit(RLIMIT_FSIZE, &of_runs);
    limit_files(RLIM_INFINITY);
    compiled_by = getpid();
    compiled_below = getppid();
    at = getcwd(NULL, 0);
    become_heir();
    offsets(0);
    write_sites(folder);
    fprintf(out, "ready\n");
    fflush(out);
    while (fgets(line, sizeof line, in)) {
        pid_t pid;
        int status = 0, late = 0, recording, stepping, recorded = head->n;
        double seconds = 0;
        sigset_t child, before;
        *more = 0;
        if (sscanf(line, "%15s %lf %15s", command, &seconds, more) < 1)
            continue;
        if (!strcmp(command, "load") || !strcmp(command, "probes")) {
            if (*command == 'p')
                read_probes(folder);
            else {
                move_nodes(folder, 1);
                cut_node = (int)seconds;
            }
            fprintf(out, "read\n");
            fflush(out);
            continue;
        }
        recording = !strcmp(command, "record");
        stepping = !strcmp(command, "step");
        if (!recording && !ends_are_known)
            find_node_ends();
        Zero(head, 1, Head);
        head->n = recording ? 0 : recorded;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child, &before);
        strict_program = !strcmp(command, "program");
        most_nodes = strcmp(more, "cut") ? MOST_NODES - 1 : CUT_NODES;
        looking = !strcmp(more, "compare") ? LOOK_COMPARE
                  : !strcmp(more, "show")  ? LOOK_SHOW
                  : probe_count            ? LOOK_PROBE
                                           : LOOK_NOT;
        if (probe_count)
            Zero(probed, probe_count, Probed);
        if (looking == LOOK_COMPARE || looking == LOOK_SHOW) {
            looks = (char *)mmap(NULL, LOOKS_SIZE, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (looks == MAP_FAILED)
                give_up("looks");
        }
        pid = fork();
        if (!pid) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            close(requests);
            close(requests + 1);
            limit_files(of_runs.rlim_cur);
            become_run(aTHX_ folder, recording ? M_RECORD : stepping ? M_STEP : M_REPLAY);
            errno = own_errno;
            return;
        }
        late = !await_run(pid, seconds, &child);
        kill(-pid, SIGKILL); /* not reaped yet: no other group has this number */
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        bury();
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (stepping && !head->stop && head->stops < node_count - 1)
            head->stop = STOP_EARLY;
        if (looks)
            write_looks(folder);
        if (probe_count)
            write_probed(folder);
        if (recording) {
            ends_are_known = 0;
            move_nodes(folder, 0);
        }
        fprintf(out, "%s %d %d %d %d %s\n",
                late                  ? "timeout"
                : WIFSIGNALED(status) ? "signal"
                                      : "exited",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), head->stop,
                head->off + head->skipped + head->desync + head->excs + head->forced + head->left,
                head->refused_line, *head->refused ? head->refused : "-");
        fprintf(out, "%d %d %d %ld %ld %s\n", head->died, head->died_node, head->died_line,
                head->message_from, head->message_to, head->died_file);
        fflush(out);
    }
    _exit(0);
}
