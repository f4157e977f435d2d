// Runs the golden fight that was built for wasm32-unknown-unknown: node run.mjs houserule-wasm-check.wasm
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]));
const told = ["the digest is the native one", "the fight could not be played", "the fight has another digest"];
const code = instance.exports.main(0, 0);
console.log(told[code] ?? `it ended with ${code}`);
process.exitCode = code;
