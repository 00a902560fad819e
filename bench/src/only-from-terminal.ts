/** Experiments that the runner has and the page has not, and why: a test holds it against both. */
export const ONLY_FROM_TERMINAL: Readonly<Record<string, string>> = {
  channel:
    "Between two browsers, one of which is killed; peers and tab measure a bare data channel and Keymoot's in one tab.",
  room: "People in several browsers, and a trace of what each frame costs.",
  slow: "A browser on a host of its own, with a slow line and a slow processor.",
  files: "A large file between two browsers, and what their processes grow by.",
  call: "Several pages with fake devices, whose processor time is that of a browser of their own.",
  lossy: "Browsers on hosts of their own, between which packets are lost.",
  load: "A server process with thousands of clients.",
  idle: "Processes whose processor time is read from outside.",
  crowded: "Members in a process of Node, and a page whose browser's processor time is read from outside.",
  memory: "A heap that is looked at after all garbage has been collected.",
  wan: "Browsers at three sites, each with a network of its own; the simulator's side of it is in rekey and order.",
}
