"""Types of the Debug Adapter Protocol; written by `python -m tools.debug_protocol`, not by hand.

`debugProtocol.json` of Microsoft's specification has what each one means.
"""
# ruff: noqa: D101

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class AttachRequestArguments(TypedDict):
    pass


class Breakpoint(TypedDict):
    id: NotRequired[int]
    verified: bool
    message: NotRequired[str]
    source: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]
    instructionReference: NotRequired[str]
    offset: NotRequired[int]
    reason: NotRequired[Literal["pending", "failed"]]


class BreakpointLocation(TypedDict):
    line: int
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]


class BreakpointLocationsArguments(TypedDict):
    source: Source
    line: int
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]


class BreakpointLocationsBody(TypedDict):
    breakpoints: list[BreakpointLocation]


class Capabilities(TypedDict):
    supportsConfigurationDoneRequest: NotRequired[bool]
    supportsFunctionBreakpoints: NotRequired[bool]
    supportsConditionalBreakpoints: NotRequired[bool]
    supportsHitConditionalBreakpoints: NotRequired[bool]
    supportsEvaluateForHovers: NotRequired[bool]
    exceptionBreakpointFilters: NotRequired[list[ExceptionBreakpointsFilter]]
    supportsStepBack: NotRequired[bool]
    supportsSetVariable: NotRequired[bool]
    supportsRestartFrame: NotRequired[bool]
    supportsGotoTargetsRequest: NotRequired[bool]
    supportsStepInTargetsRequest: NotRequired[bool]
    supportsCompletionsRequest: NotRequired[bool]
    completionTriggerCharacters: NotRequired[list[str]]
    supportsModulesRequest: NotRequired[bool]
    additionalModuleColumns: NotRequired[list[ColumnDescriptor]]
    supportedChecksumAlgorithms: NotRequired[list[ChecksumAlgorithm]]
    supportsRestartRequest: NotRequired[bool]
    supportsExceptionOptions: NotRequired[bool]
    supportsValueFormattingOptions: NotRequired[bool]
    supportsExceptionInfoRequest: NotRequired[bool]
    supportTerminateDebuggee: NotRequired[bool]
    supportSuspendDebuggee: NotRequired[bool]
    supportsDelayedStackTraceLoading: NotRequired[bool]
    supportsLoadedSourcesRequest: NotRequired[bool]
    supportsLogPoints: NotRequired[bool]
    supportsTerminateThreadsRequest: NotRequired[bool]
    supportsSetExpression: NotRequired[bool]
    supportsTerminateRequest: NotRequired[bool]
    supportsDataBreakpoints: NotRequired[bool]
    supportsReadMemoryRequest: NotRequired[bool]
    supportsWriteMemoryRequest: NotRequired[bool]
    supportsDisassembleRequest: NotRequired[bool]
    supportsCancelRequest: NotRequired[bool]
    supportsBreakpointLocationsRequest: NotRequired[bool]
    supportsClipboardContext: NotRequired[bool]
    supportsSteppingGranularity: NotRequired[bool]
    supportsInstructionBreakpoints: NotRequired[bool]
    supportsExceptionFilterOptions: NotRequired[bool]
    supportsSingleThreadExecutionRequests: NotRequired[bool]


class Checksum(TypedDict):
    algorithm: ChecksumAlgorithm
    checksum: str


type ChecksumAlgorithm = Literal["MD5", "SHA1", "SHA256", "timestamp"]


class ColumnDescriptor(TypedDict):
    attributeName: str
    label: str
    format: NotRequired[str]
    type: NotRequired[Literal["string", "number", "boolean", "unixTimestampUTC"]]
    width: NotRequired[int]


type ConfigurationDoneArguments = dict[str, Any]


class ContinueArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]


class ContinueBody(TypedDict):
    allThreadsContinued: NotRequired[bool]


class DataBreakpoint(TypedDict):
    dataId: str
    accessType: NotRequired[DataBreakpointAccessType]
    condition: NotRequired[str]
    hitCondition: NotRequired[str]


type DataBreakpointAccessType = Literal["read", "write", "readWrite"]


class DataBreakpointInfoArguments(TypedDict):
    variablesReference: NotRequired[int]
    name: str
    frameId: NotRequired[int]


class DataBreakpointInfoBody(TypedDict):
    dataId: str | None
    description: str
    accessTypes: NotRequired[list[DataBreakpointAccessType]]
    canPersist: NotRequired[bool]


class DisconnectArguments(TypedDict):
    restart: NotRequired[bool]
    terminateDebuggee: NotRequired[bool]
    suspendDebuggee: NotRequired[bool]


class EvaluateArguments(TypedDict):
    expression: str
    frameId: NotRequired[int]
    context: NotRequired[str]
    format: NotRequired[ValueFormat]


class EvaluateBody(TypedDict):
    result: str
    type: NotRequired[str]
    presentationHint: NotRequired[VariablePresentationHint]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]


type ExceptionBreakMode = Literal["never", "always", "unhandled", "userUnhandled"]


class ExceptionBreakpointsFilter(TypedDict):
    filter: str
    label: str
    description: NotRequired[str]
    default: NotRequired[bool]
    supportsCondition: NotRequired[bool]
    conditionDescription: NotRequired[str]


class ExceptionDetails(TypedDict):
    message: NotRequired[str]
    typeName: NotRequired[str]
    fullTypeName: NotRequired[str]
    evaluateName: NotRequired[str]
    stackTrace: NotRequired[str]
    innerException: NotRequired[list[ExceptionDetails]]


class ExceptionFilterOptions(TypedDict):
    filterId: str
    condition: NotRequired[str]


class ExceptionInfoArguments(TypedDict):
    threadId: int


class ExceptionInfoBody(TypedDict):
    exceptionId: str
    description: NotRequired[str]
    breakMode: ExceptionBreakMode
    details: NotRequired[ExceptionDetails]


class ExceptionOptions(TypedDict):
    path: NotRequired[list[ExceptionPathSegment]]
    breakMode: ExceptionBreakMode


class ExceptionPathSegment(TypedDict):
    negate: NotRequired[bool]
    names: list[str]


class FunctionBreakpoint(TypedDict):
    name: str
    condition: NotRequired[str]
    hitCondition: NotRequired[str]


class GotoArguments(TypedDict):
    threadId: int
    targetId: int


class GotoTarget(TypedDict):
    id: int
    label: str
    line: int
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]
    instructionPointerReference: NotRequired[str]


class GotoTargetsArguments(TypedDict):
    source: Source
    line: int
    column: NotRequired[int]


class GotoTargetsBody(TypedDict):
    targets: list[GotoTarget]


class InitializeRequestArguments(TypedDict):
    clientID: NotRequired[str]
    clientName: NotRequired[str]
    adapterID: str
    locale: NotRequired[str]
    linesStartAt1: NotRequired[bool]
    columnsStartAt1: NotRequired[bool]
    pathFormat: NotRequired[str]
    supportsVariableType: NotRequired[bool]
    supportsVariablePaging: NotRequired[bool]
    supportsRunInTerminalRequest: NotRequired[bool]
    supportsMemoryReferences: NotRequired[bool]
    supportsProgressReporting: NotRequired[bool]
    supportsInvalidatedEvent: NotRequired[bool]
    supportsMemoryEvent: NotRequired[bool]
    supportsArgsCanBeInterpretedByShell: NotRequired[bool]
    supportsStartDebuggingRequest: NotRequired[bool]


class LaunchRequestArguments(TypedDict):
    noDebug: NotRequired[bool]


type LoadedSourcesArguments = dict[str, Any]


class LoadedSourcesBody(TypedDict):
    sources: list[Source]


class NextArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]
    granularity: NotRequired[SteppingGranularity]


class OutputEventBody(TypedDict):
    category: NotRequired[str]
    output: str
    group: NotRequired[Literal["start", "startCollapsed", "end"]]
    variablesReference: NotRequired[int]
    source: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]
    data: NotRequired[Any]


class PauseArguments(TypedDict):
    threadId: int


class RestartFrameArguments(TypedDict):
    frameId: int


class ReverseContinueArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]


class Scope(TypedDict):
    name: str
    presentationHint: NotRequired[str]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    expensive: bool
    source: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]


class ScopesArguments(TypedDict):
    frameId: int


class ScopesBody(TypedDict):
    scopes: list[Scope]


class SetBreakpointsArguments(TypedDict):
    source: Source
    breakpoints: NotRequired[list[SourceBreakpoint]]
    lines: NotRequired[list[int]]
    sourceModified: NotRequired[bool]


class SetBreakpointsBody(TypedDict):
    breakpoints: list[Breakpoint]


class SetDataBreakpointsArguments(TypedDict):
    breakpoints: list[DataBreakpoint]


class SetDataBreakpointsBody(TypedDict):
    breakpoints: list[Breakpoint]


class SetExceptionBreakpointsArguments(TypedDict):
    filters: list[str]
    filterOptions: NotRequired[list[ExceptionFilterOptions]]
    exceptionOptions: NotRequired[list[ExceptionOptions]]


class SetExceptionBreakpointsBody(TypedDict):
    breakpoints: NotRequired[list[Breakpoint]]


class SetExpressionArguments(TypedDict):
    expression: str
    value: str
    frameId: NotRequired[int]
    format: NotRequired[ValueFormat]


class SetExpressionBody(TypedDict):
    value: str
    type: NotRequired[str]
    presentationHint: NotRequired[VariablePresentationHint]
    variablesReference: NotRequired[int]
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]


class SetFunctionBreakpointsArguments(TypedDict):
    breakpoints: list[FunctionBreakpoint]


class SetFunctionBreakpointsBody(TypedDict):
    breakpoints: list[Breakpoint]


class SetVariableArguments(TypedDict):
    variablesReference: int
    name: str
    value: str
    format: NotRequired[ValueFormat]


class SetVariableBody(TypedDict):
    value: str
    type: NotRequired[str]
    variablesReference: NotRequired[int]
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]


class Source(TypedDict):
    name: NotRequired[str]
    path: NotRequired[str]
    sourceReference: NotRequired[int]
    presentationHint: NotRequired[Literal["normal", "emphasize", "deemphasize"]]
    origin: NotRequired[str]
    sources: NotRequired[list[Source]]
    adapterData: NotRequired[Any]
    checksums: NotRequired[list[Checksum]]


class SourceBreakpoint(TypedDict):
    line: int
    column: NotRequired[int]
    condition: NotRequired[str]
    hitCondition: NotRequired[str]
    logMessage: NotRequired[str]


class StackFrame(TypedDict):
    id: int
    name: str
    source: NotRequired[Source]
    line: int
    column: int
    endLine: NotRequired[int]
    endColumn: NotRequired[int]
    canRestart: NotRequired[bool]
    instructionPointerReference: NotRequired[str]
    moduleId: NotRequired[int | str]
    presentationHint: NotRequired[Literal["normal", "label", "subtle"]]


type StackFrameFormat = dict[str, Any]


class StackTraceArguments(TypedDict):
    threadId: int
    startFrame: NotRequired[int]
    levels: NotRequired[int]
    format: NotRequired[StackFrameFormat]


class StackTraceBody(TypedDict):
    stackFrames: list[StackFrame]
    totalFrames: NotRequired[int]


class StepBackArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]
    granularity: NotRequired[SteppingGranularity]


class StepInArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]
    targetId: NotRequired[int]
    granularity: NotRequired[SteppingGranularity]


class StepOutArguments(TypedDict):
    threadId: int
    singleThread: NotRequired[bool]
    granularity: NotRequired[SteppingGranularity]


type SteppingGranularity = Literal["statement", "line", "instruction"]


class StoppedEventBody(TypedDict):
    reason: str
    description: NotRequired[str]
    threadId: NotRequired[int]
    preserveFocusHint: NotRequired[bool]
    text: NotRequired[str]
    allThreadsStopped: NotRequired[bool]
    hitBreakpointIds: NotRequired[list[int]]


class TerminateArguments(TypedDict):
    restart: NotRequired[bool]


class Thread(TypedDict):
    id: int
    name: str


class ThreadsBody(TypedDict):
    threads: list[Thread]


class ValueFormat(TypedDict):
    hex: NotRequired[bool]


class Variable(TypedDict):
    name: str
    value: str
    type: NotRequired[str]
    presentationHint: NotRequired[VariablePresentationHint]
    evaluateName: NotRequired[str]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]


class VariablePresentationHint(TypedDict):
    kind: NotRequired[str]
    attributes: NotRequired[list[str]]
    visibility: NotRequired[str]
    lazy: NotRequired[bool]


class VariablesArguments(TypedDict):
    variablesReference: int
    filter: NotRequired[Literal["indexed", "named"]]
    start: NotRequired[int]
    count: NotRequired[int]
    format: NotRequired[ValueFormat]


class VariablesBody(TypedDict):
    variables: list[Variable]
