//! What `openmls.ts` calls in the WebAssembly module. Plain numbers cross, so that no bindings are needed.

pub mod warm;

use std::cell::RefCell;
use warm::Warm;

#[derive(Default)]
struct State {
    warm: Option<Box<dyn Warm>>,
    copy: Option<Box<dyn Warm>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn with_copy<T>(act: impl FnOnce(&mut dyn Warm) -> T) -> T {
    STATE.with_borrow_mut(|state| act(state.copy.as_deref_mut().expect("restore() comes first")))
}

/// A warm group of n.
#[no_mangle]
pub extern "C" fn classical(n: u32) {
    STATE.with_borrow_mut(|state| state.warm = Some(warm::classical(n)));
}

/// The same under the hybrid suite.
#[no_mangle]
pub extern "C" fn hybrid(n: u32) {
    STATE.with_borrow_mut(|state| state.warm = Some(warm::hybrid(n)));
}

/// Back to the state before the removal.
#[no_mangle]
pub extern "C" fn restore() {
    STATE.with_borrow_mut(|state| state.copy = Some(state.warm.as_ref().expect("a group comes first").copy()));
}

#[no_mangle]
pub extern "C" fn make() -> u32 {
    with_copy(|group| group.make() as u32)
}

#[no_mangle]
pub extern "C" fn process() -> u32 {
    with_copy(|group| group.process().into())
}

#[no_mangle]
pub extern "C" fn agree() -> u32 {
    with_copy(|group| group.agree().into())
}
