// generate.mjs - writes scenarios/*.json and drivers/*.json from the cases in cases/.
import './cases/provider.mjs';
import './cases/confirms.mjs';
import './cases/questions.mjs';
import './cases/handoffs.mjs';
import './cases/loops.mjs';
import './cases/jobs.mjs';
import './cases/inputs.mjs';
