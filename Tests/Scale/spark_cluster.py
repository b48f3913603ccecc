"""A standalone cluster of Spark on this machine, whose workers can be killed."""

import os
import re
import signal
import subprocess
import time

import pyspark

HOME = os.path.dirname(pyspark.__file__)
# For small machines: threads that compile and collect garbage would take the cores from the work.
JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


class Cluster:
    """A master and workers of one core each."""

    def __init__(self, scratch, workers, environment):
        self.scratch = scratch
        self.environment = dict(
            environment, SPARK_HOME=HOME, SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost",
            SPARK_LOCAL_DIRS=os.path.join(scratch, "shuffle"), SPARK_WORKER_DIR=os.path.join(scratch, "work"),
            SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=JAVA, PYSPARK_PYTHON="python")
        self.master, log = self.start("master", "master.Master", "--host", "localhost", "--port", "0", "--webui-port", "0")
        self.url = wait_for(log, r"Starting Spark master at (spark://\S+)")
        self.workers = []
        for number in range(workers):
            # As if it were a machine with one core: an executor, Python and the tool would use two otherwise.
            worker, log = self.start(f"worker{number}", "worker.Worker", "--host", "localhost", "--cores", "1",
                                     "--memory", "2g", "--webui-port", "0", self.url, core=number % os.cpu_count())
            wait_for(log, r"(Successfully registered)")
            self.workers.append(worker)

    def start(self, name, program, *words, core=None):
        pinned = [] if core is None else ["taskset", "--cpu-list", str(core)]
        log = os.path.join(self.scratch, f"{name}.log")
        with open(log, "wb") as file:
            # In a group of its own, with the executors that it starts.
            process = subprocess.Popen(
                [*pinned, os.path.join(HOME, "bin", "spark-class"), f"org.apache.spark.deploy.{program}", *words],
                stdout=file, stderr=file, env=self.environment, start_new_session=True)
        return process, log

    def submit(self, job, *words):
        """A job that is under way."""
        folder = os.path.dirname(job)
        return subprocess.Popen(
            [os.path.join(HOME, "bin", "spark-submit"), "--master", self.url, "--conf", "spark.executor.memory=1g",
             "--driver-java-options", JAVA, "--conf", f"spark.executor.extraJavaOptions={JAVA}", "--conf", "spark.ui.enabled=false",
             "--py-files", os.path.join(folder, "through.py"), job, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)

    def kill(self, number):
        """A worker, its executor and the tools that this runs: as if its machine were gone."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.workers, self.master]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def wait_for(log, pattern):
    for _ in range(1200):
        with open(log) as file:
            if found := re.search(pattern, text := file.read()):
                return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{pattern} is not in:\n{text[-2000:]}")
