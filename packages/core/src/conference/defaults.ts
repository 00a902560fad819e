import type { PostQuantum } from "../api/index.ts"

/** Mode of a conference whose creator chose none (decision 0073). */
export const POST_QUANTUM_DEFAULT: PostQuantum = "hybrid"
