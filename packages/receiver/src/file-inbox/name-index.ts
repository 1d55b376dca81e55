import { randomInt } from "node:crypto";

/** Where a record lies. */
export type Place = { readonly segment: number; readonly offset: number };

/**
 * Remembers, in 16 bytes a name (27 to 54 with free slots), where the record of a name lies. Only a
 * 64-bit hash is kept: whoever asks confirms a hit against the record itself, so that no collision
 * can swallow a delivery.
 */
export type KnownNames = {
  /** Remembers the place of a name. A later place of the same hash is looked at first. */
  add(name: string, segment: number, offset: number): void;
  /**
   * Calls `confirm` with each place under the name's hash, latest first, until it returns something
   * other than null.
   */
  find<T>(name: string, confirm: (place: Place) => T | null): T | null;
  /** Replaces one place of a name by another. */
  move(name: string, from: Place, to: Place): void;
  size(): number;
};

const stride = 4;
const smallest = 1024;

/**
 * An open-addressed table over one typed array. Hash seeds are random: ids are chosen by the
 * sender.
 */
export function createKnownNames(): KnownNames {
  const seeds = [randomInt(0, 2 ** 32 - 1), randomInt(0, 2 ** 32 - 1)] as const;
  let slots = new Uint32Array(smallest * stride);
  let mask = smallest - 1;
  let size = 0;

  function put(first: number, second: number, segment: number, offset: number): void {
    let at = first & mask;
    while (slots[at * stride + 2] !== 0) at = (at + 1) & mask;
    slots.set([first, second, segment, offset], at * stride);
  }

  function grow(): void {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    mask = slots.length / stride - 1;
    for (let at = 0; at < old.length; at += stride) {
      if (old[at + 2] !== 0)
        put(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, old[at + 3] ?? 0);
    }
  }

  /** Calls `visit` with the index of each slot that holds the name's hash. */
  function each(name: string, visit: (slot: number) => boolean): void {
    const first = hash(name, seeds[0]);
    const second = hash(name, seeds[1]);
    for (let at = first & mask; slots[at * stride + 2] !== 0; at = (at + 1) & mask) {
      if (slots[at * stride] === first && slots[at * stride + 1] === second && visit(at * stride))
        return;
    }
  }

  return {
    add: (name, segment, offset) => {
      if ((size + 1) * 5 > (mask + 1) * 3) grow();
      put(hash(name, seeds[0]), hash(name, seeds[1]), segment, offset);
      size += 1;
    },
    find: (name, confirm) => {
      const places: Place[] = [];
      each(name, (slot) => {
        places.push({ segment: slots[slot + 2] ?? 0, offset: slots[slot + 3] ?? 0 });
        return false;
      });
      if (places.length === 0) return null;
      for (const place of places.toSorted(
        (one, other) => other.segment - one.segment || other.offset - one.offset,
      )) {
        const found = confirm(place);
        if (found !== null) return found;
      }
      return null;
    },
    move: (name, from, to) => {
      each(name, (slot) => {
        if (slots[slot + 2] !== from.segment || slots[slot + 3] !== from.offset) return false;
        slots.set([to.segment, to.offset], slot + 2);
        return true;
      });
    },
    size: () => size,
  };
}

/** A 32-bit hash of a short text (FNV-1a with a final mix). */
function hash(text: string, seed: number): number {
  let state = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
