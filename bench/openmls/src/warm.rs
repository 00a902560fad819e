//! A group under MLS (RFC 9420) as OpenMLS has it, in the state that suits it best; the same as `mls.ts` builds with ts-mls.
//!
//! Warm: each member has committed once, right after it came, so every inner node has a key, a removal blanks one path and
//! nothing else, and a commit encrypts to as few nodes as can be.

use openmls::prelude::{tls_codec::*, *};
use openmls_basic_credential::SignatureKeyPair;
use openmls_libcrux_crypto::Provider as Libcrux;
use openmls_rust_crypto::{MemoryStorage, OpenMlsRustCrypto};
use openmls_traits::{types::Ciphersuite, OpenMlsProvider};

/// A warm group under either suite.
pub trait Warm {
    /// The state before the removal, so that it can be made again.
    fn copy(&self) -> Box<dyn Warm>;

    /// At the newest member, to its new epoch; gives the bytes of the commit.
    fn make(&mut self) -> usize;

    /// At the member before the newest, to its new epoch. False if there is nobody to do it.
    fn process(&mut self) -> bool;

    /// Both are in the same new epoch, with the same secret.
    fn agree(&self) -> bool;
}

/// n: at least 2
pub fn classical(n: u32) -> Box<dyn Warm> {
    Box::new(Group::<OpenMlsRustCrypto>::new(n))
}

/// n: at least 2
pub fn hybrid(n: u32) -> Box<dyn Warm> {
    Box::new(Group::<Libcrux>::new(n))
}

/// A provider with the one suite that is measured with it.
trait Suite: OpenMlsProvider<StorageProvider = MemoryStorage> + Default + 'static {
    const SUITE: Ciphersuite;
}

impl Suite for OpenMlsRustCrypto {
    const SUITE: Ciphersuite = Ciphersuite::MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519;
}

/// X-Wing: X25519 and ML-KEM-768.
impl Suite for Libcrux {
    const SUITE: Ciphersuite = Ciphersuite::MLS_256_XWING_CHACHA20POLY1305_SHA256_Ed25519;
}

struct Member<P> {
    provider: P,
    signer: SignatureKeyPair,
    group: MlsGroup,
}

struct Group<P> {
    newest: Member<P>,
    /// The one before the newest, which processes; none where it is the one that is removed.
    second: Option<Member<P>>,
    removed: LeafNodeIndex,
    commit: Vec<u8>,
}

impl<P: Suite> Group<P> {
    fn new(n: u32) -> Self {
        let (provider, signer, credential) = keys::<P>(0);
        let config = MlsGroupCreateConfig::builder().ciphersuite(P::SUITE).build();
        let group = MlsGroup::new(&provider, &signer, &config, credential).unwrap();
        let mut newest = Member { provider, signer, group };
        let mut second = None;
        for i in 1..n {
            let (joined, update) = join(&mut newest, i);
            let mut before = std::mem::replace(&mut newest, joined);
            process(&mut before, &update);
            second = Some(before);
        }
        // The one in the middle; in small groups that is the one who processes, and the first goes.
        let removed = if n < 5 { 0 } else { n / 2 };
        let second = second.filter(|member| member.group.own_leaf_index().u32() != removed);
        Self { newest, second, removed: LeafNodeIndex::new(removed), commit: Vec::new() }
    }
}

impl<P: Suite> Warm for Group<P> {
    fn copy(&self) -> Box<dyn Warm> {
        Box::new(Self {
            newest: copied(&self.newest),
            second: self.second.as_ref().map(copied),
            removed: self.removed,
            commit: Vec::new(),
        })
    }

    fn make(&mut self) -> usize {
        let Member { provider, signer, group } = &mut self.newest;
        let (commit, _, _) = group.remove_members(provider, signer, &[self.removed]).unwrap();
        self.commit = commit.to_bytes().unwrap();
        group.merge_pending_commit(provider).unwrap();
        self.commit.len()
    }

    fn process(&mut self) -> bool {
        let Some(second) = &mut self.second else { return false };
        process(second, &self.commit);
        true
    }

    fn agree(&self) -> bool {
        self.second.as_ref().is_none_or(|second| {
            second.group.epoch() == self.newest.group.epoch()
                && second.group.epoch_authenticator().as_slice() == self.newest.group.epoch_authenticator().as_slice()
        })
    }
}

fn keys<P: Suite>(i: u32) -> (P, SignatureKeyPair, CredentialWithKey) {
    let signer = SignatureKeyPair::new(P::SUITE.signature_algorithm()).unwrap();
    let credential = BasicCredential::new(format!("member {i}").into_bytes());
    let with_key =
        CredentialWithKey { credential: credential.into(), signature_key: signer.to_public_vec().into() };
    (P::default(), signer, with_key)
}

/// Adds the i-th member, which updates its own leaf at once; gives it, and its commit.
fn join<P: Suite>(newest: &mut Member<P>, i: u32) -> (Member<P>, Vec<u8>) {
    let (provider, signer, credential) = keys::<P>(i);
    let bundle = KeyPackage::builder().build(P::SUITE, &provider, &signer, credential).unwrap();
    let Member { provider: others, signer: signs, group } = newest;
    let (_, welcome, _) = group.add_members(others, signs, &[bundle.key_package().clone()]).unwrap();
    group.merge_pending_commit(others).unwrap();
    let tree = group.export_ratchet_tree().into();
    let MlsMessageBodyIn::Welcome(welcome) = decoded(&welcome.to_bytes().unwrap()).extract() else {
        panic!("not a welcome")
    };
    let config = MlsGroupJoinConfig::default();
    let staged = StagedWelcome::new_from_welcome(&provider, &config, welcome, Some(tree)).unwrap();
    let mut group = staged.into_group(&provider).unwrap();
    let update = group.self_update(&provider, &signer, LeafNodeParameters::default()).unwrap().into_commit();
    group.merge_pending_commit(&provider).unwrap();
    (Member { provider, signer, group }, update.to_bytes().unwrap())
}

fn process<P: Suite>(member: &mut Member<P>, commit: &[u8]) {
    let message = decoded(commit).try_into_protocol_message().unwrap();
    let processed = member.group.process_message(&member.provider, message).unwrap();
    let ProcessedMessageContent::StagedCommitMessage(staged) = processed.into_content() else {
        panic!("not a commit")
    };
    member.group.merge_staged_commit(&member.provider, *staged).unwrap();
}

fn decoded(bytes: &[u8]) -> MlsMessageIn {
    MlsMessageIn::tls_deserialize_exact(bytes).unwrap()
}

/// OpenMLS writes a group's whole state to its storage: a copy of that is a copy of the member.
fn copied<P: Suite>(member: &Member<P>) -> Member<P> {
    let provider = P::default();
    let values = member.provider.storage().values.read().unwrap().clone();
    *provider.storage().values.write().unwrap() = values;
    let group = MlsGroup::load(provider.storage(), member.group.group_id()).unwrap().unwrap();
    let signer = SignatureKeyPair::tls_deserialize_exact(member.signer.tls_serialize_detached().unwrap()).unwrap();
    Member { provider, signer, group }
}
