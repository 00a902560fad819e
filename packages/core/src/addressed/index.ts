export { Assembling } from "./assembling.ts"
export { cutIntoPieces, MESSAGE_BYTES_MAX, NO_SUBJECT, PIECE_BYTES_MAX, TARGETS_MAX } from "./piece.ts"
