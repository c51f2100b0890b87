"""Tests that run generators, mocks, linters, and a fuzzer with the OpenAPI document and the sandbox.

They run by name only, as the step `generators` of `.ci/run`, because the tools need their own environments:

    python3 -m venv FOLDER && FOLDER/bin/pip install -r tests/generators/requirements.txt
    cp tests/generators/package.json FOLDER && npm install --prefix FOLDER
    SUBSCRIBEKIT_GENERATORS=FOLDER pytest tests/generators

The step leaves out Mockoon, because it's large, and Redocly, because it runs on few versions of Node. To run them too,
install them before the last command:

    npm install --prefix FOLDER @mockoon/cli@9.9.0 @redocly/cli@2.77.0
"""
