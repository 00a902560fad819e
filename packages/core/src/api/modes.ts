/**
 * What each costs and promises: see `@keymoot/gke`. `tgdh` unless there is a reason.
 *
 * `majority` is for a roster (`Admission`): the first key comes as soon as more than half of the people in it are there, and
 * from then on any of them have it, however few. Coming and going changes no key, so **people of the roster who are away can
 * know it too**. A new one is agreed regularly, and by `refreshKey`, while more than half are there.
 */
export type KeyAgreementName = "tgdh" | "str" | "bd" | "gdh" | "ckd" | "majority"

/**
 * What proves who sent a message. `signature`: its sender's signature over each batch. `group`: the group key only, which costs
 * less and says "some member": any of them could have spoken in another's name, in what is delivered now. Messages of channels
 * with a history are signed by their authors in both.
 */
export type Authenticity = "signature" | "group"

export type HistoryPolicy = "everything" | "from-join"
