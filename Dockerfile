# The command, to serve an index: docs/serve.md.
#
#   docker build --tag wherefrom .
#   docker run --rm --volume index:/index wherefrom index https://github.com/OWNER/REPOSITORY
#   docker run --detach --volume index:/index --publish 127.0.0.1:8765:8765 --env WHEREFROM_TOKEN=... wherefrom

FROM python:3.13-slim AS build
# For the native kernel.
RUN apt-get update && apt-get install --yes --no-install-recommends cargo gcc libc6-dev
WORKDIR /source
COPY . .
RUN WHEREFROM_KERNEL=require pip wheel --no-cache-dir --wheel-dir /wheels '.[elasticsearch,languages,web]'

FROM python:3.13-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --create-home wherefrom \
  && install --directory --owner wherefrom /index
# Mounted and not copied: the wheels would stay in the image.
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
  pip install --no-cache-dir --no-index --find-links /wheels 'wherefrom[elasticsearch,languages,web]'
USER wherefrom
# Within the container every address is one that others reach, so WHEREFROM_TOKEN has to be given.
ENV WHEREFROM_INDEX=/index/code.wherefrom WHEREFROM_HOST=0.0.0.0 WHEREFROM_PORT=8765 WHEREFROM_CACHE=/index/clones
VOLUME /index
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
ENTRYPOINT ["wherefrom"]
CMD ["serve"]
