"""Replays the views of key-agreement-*.json as each of their members."""

from agreements.agreement import View, agree_bd, agree_ckd
from encoding import require
from agreements.gdh import agree_gdh
from agreements.kem_ckd import agree_kem
from agreements.key_tree import agree_tree

AGREE = {
    "tgdh": agree_tree,
    "str": agree_tree,
    "bd": agree_bd,
    "ckd": agree_ckd,
    "gdh": agree_gdh,
    "ml-kem": agree_kem,
}


def check_agreements(module, views):
    last = {}
    for described in views:
        view = _view_of(module, described)
        for each in described["members"]:
            member = bytes.fromhex(each["member"])
            random = bytes.fromhex(each["contributionRandom"])
            own = view.decoded[member]
            before = last.get(member) if own.standing else None
            where = f"{described['event']}: member {each['member'][:2]}"
            if own.standing:
                require(before is not None, f"{where} names a state that it does not have")
                require(own.standing == before.epoch_id + before.state_hash, f"{where} names another state")
            state = before.state if before else None
            outcome = AGREE[module](view, member, random, state, bytes.fromhex(each["viewRandom"]))
            for name, value in (
                ("secret", outcome.secret),
                ("transcript", outcome.transcript),
                ("stateHash", outcome.state_hash),
            ):
                require(value.hex() == described[name], f"{where} comes to another {name}")
            last[member] = outcome


def _view_of(module, described):
    attachments = {bytes.fromhex(each["member"]): bytes.fromhex(each["attachment"]) for each in described["members"]}
    return View(
        module,
        described["proposal"]["epoch"],
        bytes.fromhex(described["sid"]),
        sorted(attachments),
        attachments,
        [(bytes.fromhex(each["from"]), bytes.fromhex(each["bytes"])) for each in described["multicasts"]],
        [
            (bytes.fromhex(each["from"]), bytes.fromhex(each["to"]), bytes.fromhex(each["bytes"]))
            for each in described["unicasts"]
        ],
    )
