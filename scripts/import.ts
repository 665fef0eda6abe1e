console.log("import: to be written");
