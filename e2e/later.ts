/**
 * The browser tests that `npm test` leaves to `npm run test:browsers:all`. They take most of the time, and a shorter one
 * covers the same part of the product (`tests/selection.test.ts`). A test that is not listed runs in both.
 */

/** By file, without `.test.ts`. Groups of tests stand before the title. */
export const LATER: Readonly<Record<string, readonly string[]>> = {
  accessibility: [
    "axe finds no violation on any screen, light or dark",
    "axe finds no violation in the whiteboard and its dialogs, dark",
    "leads home from an unknown address, and says that it needs JavaScript",
  ],
  apart: [
    "a dropped member is shown out of reach, then back; one that leaves is not",
    "a closed tab is shown out of reach for a minute, then under People only",
    "says in one sentence that neither server nor peers are reached, and rejoins",
  ],
  attention: [
    "counts unread messages at the chat and in the title until the chat is opened",
    "unsent messages are marked, and leaving before they are sent asks first",
    "marks the last key change, with animation unless reduced motion is set",
    "notifies once of a knock, a hand and a mention while the page is hidden",
    "asks a host at the first knock whether to play a sound, and never again",
  ],
  authority: ["certified people meet; a person with the link and no certificate is refused"],
  "bad-networks": [
    "a person that gets another address is back by itself, and nothing is lost",
    "a person that goes from Wi-Fi to mobile is back by itself, and nothing is lost",
  ],
  bench: [
    "firefox measures the frame encryption of calls in the page",
    "chromium: three members in one tab connect, are measured and can be stopped",
    "the bench is run, stopped and saved by keyboard, and passes axe, also on a phone",
  ],
  "board-files": [
    "a board is saved as PNG, SVG, PDF or JSON, added or refused; views follow",
    "a picture reaches all and newcomers, is undone by its author, and is exported",
  ],
  "broken-connections": ["loses, repeats and reorders nothing when the connection breaks 8 times"],
  "broken-parts": [
    "shows an invitation while the cryptography still loads, and enters when it has",
    "chat continues when the whiteboard breaks, and it reloads with its drawing",
    "the rest works when parts of the page fail to load, and a reload restores them",
  ],
  "busy-page": ["a newcomer with a slow board and a frozen page is not suspected"],
  "by-keyboard": ["by keyboard, a person with a hidden address starts a relayed conference"],
  "call-attacks": [
    "frames that firefox replays, swaps or passes on are refused in chromium",
    "frames that chromium replays, swaps or passes on are refused in firefox",
    "frames that firefox forges or withholds are refused in chromium",
    "frames that chromium forges or withholds are refused in firefox",
    "a call continues in firefox when chromium sends frames beyond the bound",
    "a call continues in chromium when firefox sends frames beyond the bound",
    "tracks that firefox has not announced are not played in chromium",
    "tracks that chromium has not announced are not played in firefox",
    "firefox reports chromium when it sends frames under a key that nobody has",
    "chromium reports firefox when it sends frames that it has not announced",
  ],
  "call-descriptions": [
    "from chromium to firefox › changed descriptions of a call are refused, and their sender is named",
    "from firefox to chromium › changed descriptions of a call are refused, and their sender is named",
    "decodes no plaintext of streams that a description hides: chromium, firefox",
  ],
  "call-devices": [
    "the microphone, camera and speaker of chromium can be changed in a call",
    "the microphone, camera and speaker of firefox can be changed in a call",
    "the speaker can be tested before the call, and nobody hears it",
    "an unplugged camera of chromium leaves initials, and can be tried again",
    "an unplugged camera of firefox leaves initials, and can be tried again",
    "an unplugged microphone of Firefox is silent until a retry",
  ],
  "call-firefox": [
    "Firefox shares a screen, and chromium sees it until it ends",
    "Firefox explains a refused camera, and its microphone is heard",
  ],
  "call-hosts": [
    "a host mutes somebody, who sees the host's name and can unmute",
    "stops sending and listens when a person is made a viewer",
  ],
  "call-late-workers": [
    "chromium › no frame leaves or is decoded before a late transform begins",
    "firefox › no frame leaves or is decoded before a late transform begins",
  ],
  "call-network": [
    "a call outlives a link, and its tiles come back after a partition",
    "a call of chromium and chromium gets another path when its path dies",
    "a call gets another path when only one direction of its path dies",
  ],
  "call-packets": [
    "RTP packets of a call from chromium carry no Opus and no VP9",
    "RTP packets of a call from firefox carry no Opus and no VP9",
  ],
  "call-people": [
    "chromium comes back into a call with one press after a reload",
    "each of 3 people, 1 in Firefox, receives frames and sound of each other",
  ],
  "call-phone": [
    "a person on a phone with chromium joins a call, and leaves it",
    "a person on a phone with firefox joins a call, and leaves it",
    "a person on a phone in German sees who can hear and see them",
  ],
  "call-rekey": ["a call continues without loss while members come and go"],
  "call-screen": [
    "firefox sees a shared screen beside the board until its owner ends it",
    "firefox hears the sound of a shared screen until its owner ends it",
  ],
  "call-secrecy": [
    "from chromium to chromium › a removed member that keeps its keys and connections opens nothing more",
    "from chromium to chromium › a newcomer opens no frame that was recorded before it joined",
    "from firefox to chromium › a removed member that keeps its keys and connections opens nothing more",
    "from firefox to chromium › a newcomer opens no frame that was recorded before it joined",
    "chromium › a tapped track carries no picture and no sound, and decodes to nothing",
    "firefox › a tapped track carries no picture and no sound, and decodes to nothing",
    "firefox › sends and decodes nothing without a key, and starts no call unencrypted",
    "chromium › a viewer is neither seen nor heard when her page is modified",
    "firefox › a viewer is neither seen nor heard when her page is modified",
    "frames of sound from chromium are equally large in speech and in silence",
    "frames of sound from firefox are equally large in speech and in silence",
  ],
  "call-stage": [
    "chromium enlarges a tile, and a hidden tab receives sound only",
    "the space bar speaks while it is held, and a speaker is outlined",
    "a tile scrolled out of the list receives no frames until it is back",
  ],
  "call-trouble": [
    "a member in chromium that only the server reaches is named, and seen later",
    "a member in firefox that only the server reaches is named, and seen later",
    "a member whose frames cannot be decrypted is named",
  ],
  chat: [
    "people react, edit and delete, see typing and raised hands, and keep the history",
    "sends all of a pasted text when it is longer than a message",
  ],
  "compressed-app": ["every file of the app decodes to the published one in every encoding"],
  crash: ["the browser of the one who started the conference is killed: the others are secured and continue"],
  diagnostics: ["shows paths and departures, and copies them without names or content"],
  "edge-certificates": ["Chromium and Firefox come to the published verdicts about certificates"],
  "edge-signatures": [
    "Chromium and Firefox come to the published verdicts with the engine's verifier",
    "Chromium and Firefox judge all strict signatures as published",
  ],
  embedding: ["an allowed page shows a conference and learns of it; another origin gets nothing"],
  evidence: ["a stranger checks saved evidence offline, and one changed byte is named"],
  files: [
    "a 30 MB file is shared after a reload, resumes with progress, and is intact",
    "firefox: files arrive, also after a reload; pasted pictures are re-encoded",
    "says when the sharer of a file leaves midway; it can be cancelled and is limited",
    "a withdrawn file is removed from all devices, and newcomers do not hear of it",
  ],
  "finger-and-pen": [
    "a pen's pressure sets the line's width, on all screens and in the saved board",
    "shows a newcomer with a small screen what was drawn on a large one",
    "a small screen that is there first shows a drawing begun beyond its edge",
    "a small screen shows the whole of a drawing that grows beyond its edge",
    "a touched board keeps the chosen view when others draw elsewhere",
  ],
  flood: ["shows every stroke and keeps the view when a member floods board and chat"],
  fonts: [
    "the board opens with its fonts loaded, and a text typed at once is not cut off",
    "a text typed before late fonts arrive is readable whole once they have",
  ],
  "hostile-server": [
    "a server that alters, drops, repeats or reorders signals changes no call",
    "replayed signals and invented members change nothing for the members",
    "a server that changes signals connects nobody and harms nobody; then people meet",
  ],
  hosts: [
    "asks the only host to appoint another, and says where no host is left",
    "a removed person cannot return, not even by the old link as another identity",
    "offers a new host only what its rank allows",
    "a viewer sees drawings, and cannot draw or write until a host allows it",
    "with group-key proof only, the panel says so and nobody can be made a viewer",
  ],
  hybrid: ["chromium joins a hybrid conference, chats and comes back to it"],
  identity: ["a script in the page cannot take the identity key out of firefox"],
  integrity: ["an altered script does not run, loaded by page or module, in firefox"],
  "keys-in-memory": [
    "former keys leave a browser's memory, and no key reaches its page",
    "former keys of a hybrid conference leave memory too",
  ],
  "killed-tab": [
    "the tab of chromium is killed while others are there, the pen down and a message half typed: both are there again",
    "firefox closes the tab and asks nobody while nobody else is there, the pen down and a message half typed: both are there again",
  ],
  "large-letters": [
    "with letters twice as large what opens a person's menu stands beside the name",
    "with letters that become twice as large all tools of the board stay within it",
  ],
  links: [
    "returns to the start page when a person leaves, and back only by the link",
    "a link that is damaged, unknown or lacks its secret is refused with the reason",
    "a link typed on the start page shows the conference's creator before entering",
    "a second tab of one chromium profile says that the conference is already open",
    "the engine of an invitation starts while the page's own file is still on its way",
    "chromium opens one WebSocket between the invitation and the secured view",
    "firefox opens one WebSocket between the invitation and the secured view",
    "firefox keeps a name that a script fills in when the form appears",
    "a link with a wrong secret admits nobody, and shows neither members nor messages",
    "chromium keeps a name that a script fills in when the form appears",
    "keeps the link's secret in the tab for a reload, until entering is given up",
  ],
  newcomers: ["asks before a message reaches a person that its author had not seen"],
  "offline-page": ["the page opens offline under the same policy, and offers a newer build"],
  packages: [
    "Vite's development server: two meet in the vanilla chat",
    "Vite: two meet in the vanilla chat, on a page that forbids WebAssembly",
    "Vite's build: two meet under the documented CSP, and a bot in Node answers",
    "an import map runs under the documented policy in firefox",
    "the voice room: two see and hear each other, and one in chromium leaves",
    "the voice room: two see and hear each other, and one in firefox leaves",
    "the voice room: levels, speaking and statistics follow the tracks in chromium",
    "the voice room: levels, speaking and statistics follow the tracks in firefox",
    "React: what one draws on the whiteboard the other sees",
    "modules of one's own: two browsers and a bot in Node meet with them",
    "signalling of one's own: two meet without Keymoot's server",
  ],
  "path-changes": [
    "chromium and chromium lose nothing while their path changes",
    "chromium and chromium leave a path that falls silent, and suspect nobody",
    "chromium and firefox leave a path that falls silent, and suspect nobody",
  ],
  privacy: [
    "the page and its worker ask nobody but their own server for anything",
    "the content security policy stops a buggy page that contacts a third party",
  ],
  relay: [
    "a browser without WebRTC meets the others through the server, and pages say so",
    "one connection is enough: a newcomer is secured over its first, the rest follow",
    "files and roles cross the server's relay",
    "a person that leaves over the server's relay has left, and is not out of reach",
  ],
  reload: [
    "refuses a foreign link with the id of a stored conference, and keeps the copy",
    "firefox reloads the page: it is back with board and chat, and is no news",
    "firefox: a lone reload keeps board, chat and draft until leave or forget",
  ],
  room: [
    "a reply shows what it answers, and an unread mention leads to it",
    "a host lowers a hand, brings everybody to its view, and a viewer reacts",
    "two people share a timer and vote, also after a reload",
    "a host changes its name and stays the host, and the others are notified",
    "the board continues in a new conference, and the others follow by the link",
  ],
  "room-tools": [
    "a template and a library are added, and the other person has them too",
    "a host shows two frames as slides, and brings the other person along",
    "marks two people of the same name, and nobody else",
    "copies a text with the whole link, and saves the conference as a calendar file",
  ],
  roster: [
    "majority: two of three meet, a late third catches up, and a stranger is refused",
    "people find each other in the directory, and a lying server convinces nobody",
    "the directory shows verified people and an impostor, until a renamed one leaves",
  ],
  "server-down": [
    "the server stops: people talk, draw and vote; it starts again: newcomers join",
    "keeps name and settings for the next try when the server is down at the start",
    "the start screen reports cryptography that fails to load, and the next try works",
  ],
  "server-package": ["two people meet on the packed server"],
  settings: ["a backup file moves an identity to another browser, where verifiers know it"],
  "three-people": [
    "newcomers see the board but no earlier messages when history is off",
    "under CKD, a newcomer sees the board and earlier messages, marked as passed on",
    "under BD, the others agree on a new key when somebody closes the tab",
    "keeps all that is typed while people come and go, once and in one order",
  ],
  "time-frame": [
    "enters by itself when the time has come, and meets the others",
    "warns before the end, and keeps the content until it is forgotten",
    "continues when a host extends the conference, and ends when the host says so",
    "tells somebody with the link when the creator has ended the conference early",
  ],
  "trusted-types": ["markup and script addresses are refused as strings in firefox"],
  turn: ["two browsers whose networks let nothing but TURN through meet, secured, and chat"],
  "two-people": ["firefox invites chromium: chat and draw together under str"],
  undo: ["undo reverts one's own last work on all screens, not newer work of others"],
  verification: [
    "both see equal digits and words; verification survives reload and renaming",
    "scanning a code verifies its pair only, and a missing camera is reported",
    "the security panel names the cipher and draws the key with a leaf per person",
  ],
  "verify-site": ["verify-site names the one script that an operator has built anew"],
  "window-size": [
    "all tools of the board stay within a window that is made narrow, and wide again",
    "a window of 1024 pixels shows all of the bar in a language with long words",
    "a desktop window shows both the join form and the start form at once",
    "a window of 900 pixels shows the end, and lets a host change it",
  ],
}

export const LATER_COUNT = Object.values(LATER).flat().length

/** Finds these tests by the text that Playwright compares with `grep`: file, groups, title and tags. */
export const LATER_PATTERN = new RegExp(Object.entries(LATER).map(patternOf).join("|"), "u")

function patternOf([file, titles]: readonly [string, readonly string[]]): string {
  const names = titles.map((title) => escaped(title.replaceAll(" › ", " ")))
  return `(?:^|[ /])${escaped(file)}\\.test\\.ts (?:${names.join("|")})(?: @.*)?$`
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)
}
