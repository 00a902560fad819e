/** Fields that Excalidraw 0.18 writes for every element, apart from its id, kind, place and order. */
export const SAMPLE_ELEMENT = {
  angle: 0,
  strokeColor: "#1e1e1e",
  backgroundColor: "transparent",
  fillStyle: "solid",
  strokeWidth: 2,
  strokeStyle: "solid",
  roughness: 1,
  opacity: 100,
  seed: 1,
  version: 1,
  versionNonce: 1,
  updated: 1,
  isDeleted: false,
  locked: false,
  groupIds: [],
  roundness: null,
  boundElements: null,
  frameId: null,
}

/** The fields of a stroke of the pen, apart from its id, place and points. */
export const SAMPLE_STROKE = {
  ...SAMPLE_ELEMENT,
  type: "freedraw",
  index: null,
  lastCommittedPoint: null,
  pressures: [],
  simulatePressure: true,
}
