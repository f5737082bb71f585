// Microsoft's own client of the Debug Adapter Protocol drives `stripe debug`.
// node drive.mjs MODULES SCENARIO FOLDER COMMAND [PORT]: what came of the scenario, as JSON.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, scenario, folder, command, port] = process.argv.slice(2);
const { DebugClient } = createRequire(join(modules, "x.js"))("@vscode/debugadapter-testsupport");
const PATIENCE = 120_000;
const program = join(folder, "prog.py");
const source = { path: program };
const tried = new Set();

async function client(port) {
    const found = new DebugClient(command, "debug", "stripe", { cwd: folder }, true);
    found.defaultTimeout = PATIENCE;
    const send = found.send.bind(found);
    found.send = (name, ...more) => (tried.add(name), send(name, ...more));
    await found.start(port);
    return found;
}

const stopped = (dc, action) => Promise.all([dc.waitForEvent("stopped", PATIENCE), action()])
    .then(([event, response]) => ({ ...event.body, response: response.body }));

async function launch(dc, more = {}) {
    await dc.initializeRequest();
    const initialized = dc.waitForEvent("initialized", PATIENCE);
    await dc.launchRequest({ program, cwd: folder, ...more });
    await initialized;
    await dc.setExceptionBreakpointsRequest({ filters: ["uncaught"] });
    return stopped(dc, () => dc.configurationDoneRequest());
}

const top = async (dc) => (await dc.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
const value = async (dc, expression) => (await dc.evaluateRequest({ expression, frameId: 1 })).body.result;

async function refused(dc, name, args) {
    const error = await dc.send(name, args).then(
        (told) => assert.fail(`${name} ${JSON.stringify(args)} was answered: ${JSON.stringify(told.body)}`),
        (reason) => reason,
    );
    assert.ok(error.message && !error.message.includes("Traceback"), `${name}: ${error.message}`);
    return error.message;
}

const scenarios = {
    async everyRequest() {
        const dc = await client();
        assert.match(await refused(dc, "attach", { processId: 1 }), /launch/);
        for (const name of ["stackTrace", "continue", "next", "evaluate", "scopes"]) {
            assert.match(await refused(dc, name, {}), /launched/);
        }
        const capabilities = (await dc.initializeRequest()).body;
        assert.ok(capabilities.supportsStepBack && capabilities.supportsDataBreakpoints);
        for (const args of [{}, { program: 5 }, { program, args: "x" }, { program, module: "m" }, { program, cwd: "/no" }]) {
            assert.match(await refused(dc, "launch", args), /bad-launch/);
        }
        const first = await launch(dc);
        assert.equal(first.reason, "exception");
        await refused(dc, "launch", { program });
        assert.deepEqual((await dc.threadsRequest()).body.threads, [{ id: 1, name: "main" }]);
        assert.equal((await top(dc)).line, 5);
        assert.equal((await dc.send("loadedSources")).body.sources[0].path, program);
        assert.equal((await dc.exceptionInfoRequest({ threadId: 1 })).body.exceptionId, "ZeroDivisionError");

        // values
        const scopes = (await dc.scopesRequest({ frameId: 2 })).body.scopes;
        const variables = async (reference, more = {}) =>
            (await dc.variablesRequest({ variablesReference: reference, ...more })).body.variables;
        const [groups] = await variables(scopes[0].variablesReference);
        assert.equal(groups.name, "groups");
        assert.deepEqual((await variables(groups.variablesReference, { start: 1, count: 1 })).map((v) => v.value), ["[4]"]);
        assert.equal((await variables(scopes[2].variablesReference))[0].value, "a 2.0\nb 4.0\n");
        assert.equal(await value(dc, "total + 7"), "7");
        for (const [name, args] of [
            ["evaluate", {}], ["evaluate", { expression: 5 }], ["evaluate", { expression: "1 / 0", frameId: 1 }],
            ["evaluate", { expression: "1", frameId: 99 }], ["scopes", { frameId: -1 }], ["scopes", { frameId: "x" }],
            ["variables", {}], ["variables", { variablesReference: 4711 }], ["setVariable", {}],
            ["setExpression", { expression: "nobody.x", value: "1", frameId: 1 }], ["stackTrace", { startFrame: "x" }],
            ["exceptionInfo", "x"], ["threads", "x"], ["loadedSources", [1]], ["pause", "x"],
        ]) await refused(dc, name, args);

        // elsewhere
        for (const [act, line] of [
            [() => dc.stepBackRequest({ threadId: 1 }), 3],
            [() => dc.send("stripe/stepInBack"), 2],
            [() => dc.send("stripe/stepOutBack"), 9],
            [() => dc.stepInRequest({ threadId: 1 }), 2],
            [() => dc.nextRequest({ threadId: 1 }), 3],
            [() => dc.stepOutRequest({ threadId: 1 }), 5],
            [() => dc.continueRequest({ threadId: 1 }), 5],
            [() => dc.restartFrameRequest({ frameId: 2 }), 8],
            [() => dc.pauseRequest({ threadId: 1 }), 8],
            [() => dc.send("stripe/jump", { to: "start" }), 1],
            [() => dc.send("stripe/jump", { to: "failure" }), 5],
            [() => dc.send("stripe/lastChange", { expression: "total", frameId: 1 }), 2],
            [() => dc.send("stripe/jump", { event: 10 }), 4],
            [() => dc.send("stripe/nextChange", { expression: "total", frameId: 1 }), 4],
        ]) {
            await stopped(dc, act);
            assert.equal((await top(dc)).line, line, String(act));
        }
        const targets = (await dc.gotoTargetsRequest({ source, line: 9 })).body.targets;
        assert.equal(targets.length, 2);
        await stopped(dc, () => dc.gotoRequest({ threadId: 1, targetId: targets[0].id }));
        assert.equal((await top(dc)).line, 9);
        await stopped(dc, () => dc.send("stripe/jump", { to: "failure" }));
        const origin = (await dc.send("stripe/origins")).body.origins[0];
        assert.deepEqual([origin.source.path, origin.line, origin.why], [program, 2, "total"]);
        await stopped(dc, () => dc.send("stripe/jump", { event: origin.event }));
        const led = (await dc.send("stripe/consequences")).body.consequences;
        assert.ok(led.some((each) => each.line === 5 && each.why === "total"));
        for (const [name, args] of [
            ["stripe/origins", "x"], ["stripe/consequences", [1]], ["goto", {}], ["goto", { targetId: 99 }], ["gotoTargets", {}], ["gotoTargets", { source, line: "x" }],
            ["restartFrame", { frameId: 99 }], ["stripe/jump", {}], ["stripe/jump", { to: "nowhere" }],
            ["stripe/jump", { to: "cause" }], ["stripe/jump", { event: "x" }], ["stripe/lastChange", {}],
            ["stripe/nextChange", { expression: "total +" }], ["stripe/onlyKept", { on: true }], ["stepBack", "x"],
            ["stripe/stepInBack", "x"], ["stripe/stepOutBack", [1]], ["stepIn", "x"], ["stepOut", [1]],
            ["reverseContinue", "x"], ["next", "x"], ["continue", "x"],
        ]) await refused(dc, name, args);

        // breakpoints
        await stopped(dc, () => dc.send("stripe/jump", { to: "failure" }));
        const set = await dc.setBreakpointsRequest({
            source, breakpoints: [{ line: 4, condition: "value == 2" }, { line: 400 }, { line: 4, hitCondition: ">=99" }],
        });
        assert.deepEqual(set.body.breakpoints.map((b) => b.verified), [true, false, true]);
        assert.equal((await stopped(dc, () => dc.reverseContinueRequest({ threadId: 1 }))).reason, "breakpoint");
        assert.equal(await value(dc, "[total, value]"), "[1, 2]");
        await dc.setBreakpointsRequest({ source, breakpoints: [{ line: 4, logMessage: "{value}" }] });
        const log = dc.assertOutput("console", "3\n4\n", PATIENCE);
        await stopped(dc, () => dc.continueRequest({ threadId: 1 }));
        await log;
        await dc.setBreakpointsRequest({ source, breakpoints: [] });
        await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: "mean" }] });
        assert.equal((await stopped(dc, () => dc.reverseContinueRequest({ threadId: 1 }))).reason, "function breakpoint");
        await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
        const lines = (await dc.send("breakpointLocations", { source, line: 1, endLine: 5 })).body.breakpoints;
        assert.deepEqual(lines.map((each) => each.line), [1, 2, 3, 4, 5]);
        await stopped(dc, () => dc.send("stripe/jump", { event: 10 }));
        const info = (await dc.dataBreakpointInfoRequest({ name: "total", frameId: 1 })).body;
        await dc.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.dataId }] });
        assert.equal((await stopped(dc, () => dc.reverseContinueRequest({ threadId: 1 }))).reason, "data breakpoint");
        await dc.setDataBreakpointsRequest({ breakpoints: [] });
        await dc.setExceptionBreakpointsRequest({ filters: [], filterOptions: [{ filterId: "raised", condition: "KeyError" }] });
        for (const [name, args] of [
            ["setBreakpoints", {}], ["setBreakpoints", { source, breakpoints: [{}] }],
            ["setBreakpoints", { source, breakpoints: [{ line: 4, hitCondition: "often" }] }],
            ["setFunctionBreakpoints", { breakpoints: [{}] }], ["setFunctionBreakpoints", { breakpoints: 5 }],
            ["setDataBreakpoints", { breakpoints: [{ dataId: "x" }] }], ["dataBreakpointInfo", {}],
            ["setExceptionBreakpoints", { filterOptions: [{}] }], ["breakpointLocations", {}],
            ["configurationDone", "x"], ["initialize", "x"], ["terminate", "x"], ["source", { sourceReference: 1 }], ["restart", {}],
            ["__init__", {}], ["stripe/go_to", {}],
        ]) await refused(dc, name, args);

        // what if
        await stopped(dc, () => dc.send("stripe/jump", { to: "failure" }));
        const locals = (await dc.scopesRequest({ frameId: 1 })).body.scopes[0].variablesReference;
        await refused(dc, "setVariable", { variablesReference: locals, name: "values", value: "1 +" });
        const other = await stopped(dc, () => dc.setVariableRequest({ variablesReference: locals, name: "values", value: "[9]" }));
        assert.equal(other.response.value, "[9]");
        assert.equal((await dc.send("stripe/timelines")).body.present, 1);
        await stopped(dc, () => dc.send("stripe/switchTimeline", { number: 0 }));
        await stopped(dc, () => dc.send("setExpression", { expression: "values", value: "[8]", frameId: 1 }));
        await stopped(dc, () => dc.send("stripe/switchTimeline", { number: 0 }));
        assert.equal((await stopped(dc, () => dc.send("stripe/alter", { kind: "return", text: "None" }))).response.symptom, "gone");
        assert.equal((await dc.send("stripe/compareTimelines", { number: 1, other: 2 })).body.output, "");
        await stopped(dc, () => dc.send("stripe/dropTimeline", { number: 3 }));
        for (const [name, args] of [
            ["stripe/alter", {}], ["stripe/alter", { kind: "explode" }], ["stripe/switchTimeline", { number: 77 }],
            ["stripe/dropTimeline", { number: 0 }], ["stripe/compareTimelines", { number: "x" }], ["stripe/timelines", "x"],
        ]) await refused(dc, name, args);
        assert.equal((await top(dc)).line, 5); // still there, and well
        await dc.terminateRequest();
        await dc.disconnectRequest();
        return { tried: [...tried] };
    },

    async disconnectInTheMiddle() {
        const dc = await client();
        await dc.initializeRequest();
        dc.launchRequest({ program, cwd: folder }).catch(() => undefined);
        await dc.disconnectRequest();
        return {};
    },

    async killed() {
        const dc = await client();
        await dc.initializeRequest();
        dc.launchRequest({ program, cwd: folder }).catch(() => undefined);
        return null; // until somebody kills us
    },

    async killedInSession() {
        const dc = await client();
        await launch(dc);
        return null;
    },

    async twoSessions() {
        const [one, two] = await Promise.all([client(), client()]);
        await launch(one);
        await launch(two);
        await stopped(one, () => one.stepBackRequest({ threadId: 1 }));
        assert.deepEqual([(await top(one)).line, (await top(two)).line], [3, 5]);
        await one.stop();
        assert.equal(await value(two, "values"), "[]");
        await two.stop();
        return {};
    },

    async twoSessionsAtAPort() {
        const [one, two] = [await client(Number(port)), await client(Number(port))];
        await launch(one);
        await launch(two);
        await stopped(one, () => one.stepBackRequest({ threadId: 1 }));
        assert.deepEqual([(await top(one)).line, (await top(two)).line], [3, 5]);
        await one.stop();
        assert.equal(await value(two, "values"), "[]");
        await two.stop();
        return {};
    },

    async endsEarly() {
        const dc = await client();
        const stop = await launch(dc);
        const line = (await top(dc)).line;
        await refused(dc, "exceptionInfo", { threadId: 1 });
        await stopped(dc, () => dc.nextRequest({ threadId: 1 }));
        const same = (await top(dc)).line;
        await dc.stop();
        return { reason: stop.reason, line, same };
    },

    async million() {
        const dc = await client();
        const stop = await launch(dc);
        await dc.setBreakpointsRequest({ source, breakpoints: [{ line: 2 }] });
        await stopped(dc, () => dc.reverseContinueRequest({ threadId: 1 }));
        const values = [await value(dc, "rounds"), (await top(dc)).line];
        await dc.setBreakpointsRequest({ source, breakpoints: [{ line: 5, condition: "number == 200_001" }] });
        await stopped(dc, () => dc.continueRequest({ threadId: 1 }));
        values.push(await value(dc, "(number, total)"));
        await stopped(dc, () => dc.send("stripe/jump", { event: 500_000 }));
        await stopped(dc, () => dc.stepBackRequest({ threadId: 1 }));
        await dc.stop();
        return { description: stop.description, values };
    },
};

const told = await scenarios[scenario]();
console.log(JSON.stringify(told ?? { ready: true }));
if (told !== null) process.exit(0);
