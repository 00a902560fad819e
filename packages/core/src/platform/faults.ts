/** Takes failures of this program itself, which no other member has caused. They close the conference. */
export type Faults = {
  readonly fail: (error: unknown) => void
}
