import { holds } from "./feature-rows.ts";

holds("how much two facts share", [
  ["one in the other", "Start redis", "Start redis, kafka, nginx", { there: 1, back: 0.5, both: 0.5, near: 1, subset: 1, extends: 0, noShared: 0, bias: 1, margin: 0.25 }],
  ["the other in the one", "Start redis, kafka, nginx", "Start redis", { there: 0.5, back: 1, both: 0.5, near: 1, subset: 0, extends: 1 }],
  ["each has its own", "Start redis", "Start kafka", { there: 0.5, back: 0.5, near: 0.5, subset: 0, extends: 0, noShared: 0 }],
  ["the same", "Start redis", "Start redis", { subset: 1, extends: 0, longer: 0, shorter: 0, chars: 1 }],
  ["half of the one in a quarter of the other", "Start redis", "Start kafka, nginx lexer", { there: 0.5, back: 0.25, noShared: 0 }],
  ["a third each way", "Start redis kafka", "Start nginx lexer", { there: 1 / 3, back: 1 / 3, noShared: 1 }],
  ["just at the bound of little", "--watch redis", "-watch kafka", { there: 0.35, back: 0.35, noShared: 0 }],
  ["how much longer", "Start redis, kafka, nginx", "Start redis", { longer: Math.log(5 / 3), shorter: 0 }],
  ["how much shorter", "Start redis", "Start redis, kafka, nginx", { longer: 0, shorter: Math.log(5 / 3) }],
  ["by letters, over all words", "ab cd", "ab ce", { chars: 6 / 8 }],
]);

holds("the order in which they say it", [
  ["in one order", "red green blue", "red green blue", { order: 1, head: 1, tail: 0, firstSame: 1, lastSame: 1, headOnly: 1, tailOnly: 0 }],
  ["in another order", "blue green red", "red green blue", { order: 1 / 3, head: 0, tail: 0, firstSame: 0, lastSame: 0 }],
  ["with one between", "red blue", "red green blue", { order: 2 / 3, head: 1 / 2, tail: 1 / 2, headOnly: 1 / 4, tailOnly: 1 / 4, firstSame: 1, lastSame: 1 }],
  ["with another one before", "grey green blue black", "red green blue", { order: 2 / 4, head: 0, tail: 0, firstSame: 0, lastSame: 0 }],
  ["another beginning", "grey green blue", "red green blue", { order: 2 / 3, head: 0, tail: 2 / 3, headOnly: 0, tailOnly: 2 / 3, firstSame: 0, lastSame: 1 }],
  ["another end", "red green grey", "red green blue", { order: 2 / 3, head: 2 / 3, tail: 0, headOnly: 2 / 3, tailOnly: 0, firstSame: 1, lastSame: 0 }],
  ["a beginning that comes again at the end", "red green red", "red green", { head: 1, tail: 0, order: 2 / 3 }],
  ["nothing on the one side", "the", "red green", { order: 0, head: 0, tail: 0, firstSame: 0, lastSame: 0, there: 0, back: 0, near: 0, noShared: 1 }],
  ["nothing on both", "the", "a", { order: 0, head: 0, tail: 0, firstSame: 0, lastSame: 0, subset: 1, extends: 0 }],
  ["words of one root stand for one another", "validator green", "validation green", { order: 1, head: 1, newWords: 0, lostWords: 0 }],
  ["what is only somewhat alike does not", "--watch green", "-watch green", { order: 1 / 2, head: 0, tail: 1 / 2, newIds: 1 / 2, lostIds: 1 / 2 }],
]);

holds("identifiers", [
  ["one is new, one is lost", "Run make-all.sh first", "Run build.sh first", { newIds: 1 / 2, lostIds: 1 / 2, sharedIds: 0, swap: 1, swapAlike: 4 / 17, newWords: 0, lostWords: 0, samePlace: 1 }],
  ["three are as many as two", "Run a.sh b.sh c.sh", "Run", { newIds: 1, lostIds: 0, sharedIds: 0, swap: 0, swapAlike: 0 }],
  ["three are lost", "Run", "Run a.sh b.sh c.sh", { newIds: 0, lostIds: 1, swap: 0 }],
  ["new words are none", "Run red green", "Run blue", { newIds: 0, lostIds: 0, newWords: 2 / 5, lostWords: 1 / 5, sharedIds: 0.5, swap: 0, samePlace: 0 }],
  ["more than five new words are five", "Run red green blue black white grey", "Run", { newWords: 1, lostWords: 0 }],
  ["words that are lost", "Run", "Run red green blue black white grey", { newWords: 0, lostWords: 1 }],
  ["shared in other letters", "Set DB_URL and A_B", "Set db_url", { sharedIds: 1 / 2, newIds: 1 / 2, lostIds: 0 }],
  ["shared, and one of theirs is not", "Set db_url", "Set DB_URL and A_B", { sharedIds: 1 / 2 }],
  ["shared beside others that are equal in capitals alone", "Set maß_x and a_b", "Set mass_x and a_b", { sharedIds: 1 / 3 }],
  ["the most alike of those that are swapped", "Use abc_d xyz_w", "Use abc_e klm_n", { swap: 1, swapAlike: 3 / 4, newIds: 1, lostIds: 1 }],
  ["what both have is not swapped", "Use abc_d abc_e", "Use abc_e abc_t", { swap: 1, swapAlike: 3 / 4 }],
  ["what both have is not swapped for another", "Use abc_e qrs_t", "Use abc_d abc_e", { swap: 1, swapAlike: 0 }],
  ["one that is new beside one that both have", "Use abc_d abc_e", "Use abc_e", { swap: 0, swapAlike: 0 }],
  ["a word for an identifier is no swap", "Use redis", "Use abc_d", { swap: 0 }],
  ["an identifier for a word is no swap", "Use abc_d", "Use redis", { swap: 0, samePlace: 0 }],
  ["a number for a number", "Keep 40 lines", "Keep 50 lines", { numberSwap: 1, swap: 1, samePlace: 1 }],
  ["a version for a number, beside other words", "Keep 1.2 red lines", "Keep 50 blue lines", { numberSwap: 1, samePlace: 0 }],
  ["a number that is new", "Keep 40 lines", "Keep lines", { numberSwap: 0 }],
  ["a number that is lost", "Keep lines", "Keep 40 lines", { numberSwap: 0 }],
  ["a name for a name", "Keep a_b lines", "Keep c_d lines", { numberSwap: 0, samePlace: 1 }],
]);

holds("the place where an identifier stands", [
  ["beside the same word before it", "Use a_b red", "Use c_d blue", { samePlace: 1 }],
  ["beside the same word behind it", "Red a_b first", "Blue c_d first", { samePlace: 1 }],
  ["beside other words", "Red a_b green", "Blue c_d black", { samePlace: 0 }],
  ["beside one word, which is before the one and behind the other", "Red a_b green", "Blue c_d red", { samePlace: 0 }],
  ["beside one word, which is behind the one and before the other", "Red a_b green", "Green c_d blue", { samePlace: 0 }],
  ["of another kind", "Use a_b red", "Use 40 blue", { samePlace: 0 }],
  ["the same one", "Use a_b red", "Use a_b blue", { samePlace: 0 }],
  ["a word in the place of a word", "Use black red", "Use white red", { samePlace: 0 }],
  ["alone", "a_b", "c_d", { samePlace: 0 }],
  ["one of several", "Green a_b red x_y blue", "Black c_d white x_z blue", { samePlace: 1 }],
]);

holds("words that set a fact's force", [
  ["none and none", "Run red", "Run blue", { force: 0 }],
  ["must and should", "You must run red", "You should run red", { force: 1 }],
  ["must and none", "You must run red", "Run red", { force: 1 }],
  ["twice and once", "You must and must run red", "You must run red", { force: 0 }],
  ["in another order", "It must never run", "It never must run", { force: 0 }],
  ["two that are spelt together like others", "It must optional run", "It mustoptional run", { force: 1 }],
  ["they are no words that are new", "Prefer required red", "Run recommended blue", { newWords: 1 / 5, lostWords: 2 / 5 }],
  ["neither are those that deny", "Refrain from red", "Ban blue", { newWords: 1 / 5, lostWords: 1 / 5, force: 1 }],
]);

holds("two sides of one thing", [
  ["by their words", "Check the client port", "Check the server port", { contrary: 1 }],
  ["by their stems", "Check updates of clients", "Check updates of servers", { contrary: 1 }],
  ["by their words, whose stems are of another group", "Check what may enable it", "Check what may disable it", { contrary: 1 }],
  ["among others", "Red client here", "Blue green server there", { contrary: 1 }],
  ["none", "Check red", "Check blue", { contrary: 0 }],
  ["in both facts", "Check client and server", "Check server and client", { contrary: 0 }],
  ["in capitals", "Check GET", "Check POST", { contrary: 1 }],
]);
