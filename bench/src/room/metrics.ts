/** Waiting times of a person. */
export const LOAD = "cold load to a usable start screen"
export const JOIN = "join pressed to secured with one other"
export const JOIN_LATER = "join pressed after 5 s to secured with one other"
export const FOUR = "join pressed by the fourth to all four secured"
export const STROKE = "stroke begun to stroke seen by the other"
export const CHAT = "chat message entered to message seen by the other"
/** Processor time of the page's main thread. */
export const REKEY_TASK = "longest task of the page while members come and go"
export const DRAW_TASK = "longest task of the page while drawing with five others"
export const FRAME_SCRIPT = "script in a frame while drawing with five others"
export const FRAME_ALONE = "script in a frame while drawing alone"
