/** What a person waits for, and what of it is asked (docs/benchmarks.md). */
export const LOAD = "cold load to a usable start screen"
export const JOIN = "join pressed to secured with one other"
export const FOUR = "the last of four presses join to all four secured"
export const STROKE = "stroke begun to stroke seen by the other"
export const CHAT = "chat message sent to message seen by the other"
export const REKEY_TASK = "longest task of the page while members come and go"
export const FRAME_SCRIPT = "our script in a frame while drawing with five others"
