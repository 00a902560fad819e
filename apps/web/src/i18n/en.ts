/** The texts of the page. Every other language has exactly these keys: the type of `de` and a test see to it. */
export const en = {
  product: "Keymoot",
  start: {
    lead: "A whiteboard and a chat for people with the link. What you draw and write can be read by the people in the conference and by nobody else, not even by this server.",
    name: "Your name",
    nameMissing: "Enter a name, so that the others know who you are.",
    create: "Start a conference",
    advanced: "Advanced",
    history: "Newcomers see",
    historyEverything: "everything from the start",
    historyFromJoin: "what happens from when they join",
    keyAgreement: "Key agreement",
    duration: "Ends after",
    hours_one: "{{count}} hour",
    hours_other: "{{count}} hours",
    days_one: "{{count}} day",
    days_other: "{{count}} days",
    or: "or",
    link: "Invitation link",
    linkInvalid: "This is not a complete invitation link. Copy it again, with everything after the # sign.",
    linkElsewhere: "This link belongs to {{host}}. Open it in the address bar.",
    join: "Join",
    footer: "End-to-end encrypted. The server sees who connects and when, not what you say.",
    whatIsProtected: "What is protected?",
  },
  protection: {
    title: "What is protected",
    content:
      "The people in a conference agree on a key among themselves. Drawings, messages and names are encrypted with it in the browser, and the key changes whenever somebody comes or goes.",
    server:
      "The server brings people together. It sees internet addresses, the conference’s number, when messages pass and how large they are. It cannot read them, change them or add somebody unseen.",
    link: "Whoever has the link can join. Give it only to people you want there, and look at who is in the conference.",
    names:
      "A name is what a person typed. To be sure who is there, compare the conference code with them, in person or by phone.",
    limits:
      "Members can copy what they see. And whoever serves this page could serve a changed one: use a server you trust, or run your own.",
    close: "Close",
  },
  enter: {
    title: "You are invited to a conference",
    join: "Join",
    instead: "Start a conference of your own instead",
  },
  working: {
    creating: "Starting the conference…",
    joining: "Joining…",
    resuming: "Coming back…",
    leaving: "Leaving…",
  },
  problem: {
    title: "This did not work",
    retry: "Try again",
    toStart: "Go to the start page",
    codes: {
      "invalid-argument":
        "The name or a setting was not accepted. Choose a shorter name without special characters and try again.",
      "invalid-link": "This link is damaged. Ask for it again and copy it whole, with everything after the # sign.",
      "no-invitation":
        "This link lacks its secret part, the part after the # sign. Ask the person who invited you for the whole link, and open it.",
      "unknown-conference":
        "The server does not know this conference. It may be long over, or the link has a typing mistake: ask for the link again.",
      "descriptor-mismatch":
        "The server showed another conference than the one this link belongs to. Do not enter. Tell the person who invited you.",
      "conference-over": "This conference is over. Start a new one to meet again.",
      "server-unreachable": "The server cannot be reached. Check your connection and try again.",
      "server-refused": "The server is too busy or does not accept new conferences now. Try again in a minute.",
      "already-open":
        "This conference is already open in another tab of this browser. Go on there, or close that tab and try again.",
      "opened-elsewhere":
        "This conference has been opened in another tab of this browser. Go on there, or take it back here.",
      "storage-unavailable":
        "The browser lets this page store nothing, and without that it cannot keep a key. Allow site data or leave private browsing, then try again.",
      "unsupported-browser":
        "This browser lacks something that encryption needs. Use a current Firefox, Chrome, Edge or Safari.",
      "too-large": "This was too large to be sent.",
      "queue-full": "Too much is waiting to be sent. Wait a moment and try again.",
      closed: "The conference has been closed on this device.",
      aborted: "This was cancelled.",
      "engine-failed":
        "Something in this page broke, and the conference was stopped to be safe. Load the page again to come back.",
      internal: "Something unexpected happened. Load the page again.",
    },
  },
  lock: {
    name: "Security",
    joining: "Looking for the others…",
    agreeing: "Agreeing on a key…",
    alone: "Only you are here.",
    encrypted_one: "Encrypted. {{count}} person can read this.",
    encrypted_other: "Encrypted. {{count}} people can read this.",
  },
  bar: {
    copyLink: "Copy link",
    linkCopied: "Link copied",
    copyByHand: "Copy this link",
    copyByHandHint: "The browser did not allow copying. Select the link and copy it yourself.",
    leave: "Leave",
    chat: "Chat",
    chatUnread_one: "Chat, {{count}} unread message",
    chatUnread_other: "Chat, {{count}} unread messages",
    people: "People",
    drawer: "Side panel",
    closeDrawer: "Close",
  },
  banner: {
    serverDown: "Server unreachable. The conference goes on; nobody new can join until it is back.",
    joining: "Looking for the others…",
    joiningHint: "What you do meanwhile is kept and will be shared.",
  },
  leave: {
    title: "Leave now?",
    unsent_one: "{{count}} message has not been sent yet. It is lost if you leave.",
    unsent_other: "{{count}} messages have not been sent yet. They are lost if you leave.",
    stay: "Stay",
    leave: "Leave anyway",
  },
  chat: {
    log: "Conversation",
    message: "Message",
    send: "Send",
    empty: "No messages yet.",
    you: "You",
    handedOver: "handed over",
    handedOverHint: "Written before you came. Another member handed it over; the author’s signature was checked.",
    sending: "Sending…",
    waiting: "Waiting for the key…",
    failed: "Not sent.",
    retry: "Try again",
    discard: "Discard",
    latest: "Newest messages",
    tooMany: "Too many messages are waiting to be sent.",
  },
  people: {
    title_one: "{{count}} person in the conference",
    title_other: "{{count}} people in the conference",
    you: "you",
    agreeing: "A new key is being agreed with these people.",
    invite: "Nobody else is here yet. Send somebody the link.",
  },
  news: {
    joined_one: "{{names}} joined.",
    joined_other: "{{names}} joined.",
    left_one: "{{names}} left.",
    left_other: "{{names}} left.",
  },
  security: {
    title: "Security",
    epoch: "Epoch",
    module: "Key agreement",
    modules: {
      tgdh: "TGDH (tree of key pairs)",
      str: "STR (chain of key pairs)",
      bd: "BD (ring, everybody takes part)",
      gdh: "GDH (one key through all hands)",
      ckd: "CKD (one member deals the key)",
    },
    since: "Secured since",
    notYet: "not yet",
    code: "Conference code",
    codeHint:
      "Everybody in the conference sees the same digits. Compare them in person or by phone: if they differ, somebody is in between.",
    codeWaiting: "Shown when the key is agreed.",
    members: "Can read this",
    log: "What happened",
    close: "Close",
    view: {
      created: "You are in. Epoch {{epoch}}.",
      newKey: "New key, epoch {{epoch}}.",
      refreshed: "The same people, a new key, epoch {{epoch}}.",
    },
    handedOver: "{{name}} handed over what had been drawn before.",
    somebody: "somebody",
    times: "({{count}} times)",
    codes: {
      "fingerprint-mismatch":
        "A connection to {{name}} was refused: its certificate was not theirs. Somebody may have tried to get in between.",
      "forged-signal": "A connection request with a false signature was ignored.",
      "bad-association": "A connection that could not prove to be {{name}}’s was refused.",
      "bad-credential": "A message with a false signature, said to be from {{name}}, was ignored.",
      "bad-frame": "Malformed data from {{name}} was ignored.",
      "failed-confirmation": "{{name}} could not prove to hold the same key. A new key is being agreed.",
      "agreement-fault": "{{name}} broke the rules of the key agreement. It is being repeated.",
      undecryptable: "A message from {{name}} could not be decrypted and was ignored.",
      "invalid-content": "An invalid drawing from {{name}} was ignored.",
    },
  },
  board: {
    label: "Whiteboard",
    menu: "Whiteboard menu",
    loading: "Loading the whiteboard…",
    failed: "The whiteboard stopped working.",
    failedHint: "Nothing is lost: what was drawn is kept.",
    reload: "Reload the board",
  },
}

export type Texts = { [K in keyof typeof en]: Shape<(typeof en)[K]> }
type Shape<T> = T extends string ? string : { [K in keyof T]: Shape<T[K]> }
